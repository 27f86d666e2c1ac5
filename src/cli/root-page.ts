import { rootPage } from './help.ts';

/** The help of the whole. A build puts in its place what this comes to: then nothing else need be loaded for it. */
export const root = rootPage();
