import { rootPage } from './help.ts';
import { helpText } from './help-text.ts';

/** The help of the program. The build replaces it by its text, so that no other module is loaded for it. */
export const root = rootPage();

/** The same as text in lines of at most 80 cells: the width of a pipe and of most terminals. */
export const rootTextAt80 = helpText(root, 80);
