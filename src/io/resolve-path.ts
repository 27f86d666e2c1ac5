import { isAbsolute, join, resolve } from 'node:path';
import { usage } from '../errors.ts';

/**
 * The absolute path of a file. Only a relative path needs the current directory, which may be deleted.
 *
 * @throws LanyardError usage: a NUL character, which no file name contains.
 */
export function resolvePath(base: { readonly cwd: string }, name: string): string {
  if (name.includes('\0')) throw usage(`invalid file name "${name}": contains a NUL character`);
  return isAbsolute(name) ? resolve(name) : resolve(base.cwd, name);
}

/** As {@link resolvePath}, for a path that no shell expanded: `~/` is the home directory. */
export const resolveHomePath = (
  base: { readonly cwd: string; readonly home: string },
  name: string,
): string => (name.startsWith('~/') ? join(base.home, name.slice(2)) : resolvePath(base, name));
