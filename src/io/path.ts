import { isAbsolute, resolve } from 'node:path';

/** Where a file is that somebody named. Only a relative name needs the current folder, which may be gone. */
export const pathAt = (place: { readonly cwd: string }, name: string): string =>
  isAbsolute(name) ? resolve(name) : resolve(place.cwd, name);
