import { rootPage } from './help.ts';

/** The help of the program. A build replaces this by its value, so that no other module is loaded for it. */
export const root = rootPage();
