import { rootPage } from './help.ts';

/** The help of the program. The build replaces it by its text, so that no other module is loaded for it. */
export const root = rootPage();
