import { isAbsolute, join, resolve } from 'node:path';

/** Where a file is that somebody named. Only a relative name needs the current folder, which may be gone. */
export const resolvePath = (base: { readonly cwd: string }, name: string): string =>
  isAbsolute(name) ? resolve(name) : resolve(base.cwd, name);

/** As {@link resolvePath}, of a name that no shell has seen: `~/` is the home folder. */
export const resolveHomePath = (
  base: { readonly cwd: string; readonly home: string },
  name: string,
): string => (name.startsWith('~/') ? join(base.home, name.slice(2)) : resolvePath(base, name));
