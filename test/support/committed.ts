import { readFile } from 'node:fs/promises';

/** The text of a file of the repository. */
export const committed = (path: string): Promise<string> =>
  readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
