import { isAbsolute, join, resolve } from 'node:path';

/** Where a file is that somebody named. Only a relative name needs the current folder, which may be gone. */
export const pathAt = (place: { readonly cwd: string }, name: string): string =>
  isAbsolute(name) ? resolve(name) : resolve(place.cwd, name);

/** As {@link pathAt}, of a name that no shell has seen: `~/` is the home folder. */
export const homePath = (place: { readonly cwd: string; readonly home: string }, name: string): string =>
  name.startsWith('~/') ? join(place.home, name.slice(2)) : pathAt(place, name);
