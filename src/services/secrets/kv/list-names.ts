import type { Storage } from '../../core/store/storage.ts';

/** The names directly below a prefix, in order; a name with others below it ends in a slash. */
export function listNames(storage: Storage, prefix: string): string[] {
  const names = storage.keys(prefix).map((key) => {
    const slash = key.indexOf('/', prefix.length);
    return key.slice(prefix.length, slash < 0 ? undefined : slash + 1);
  });
  return [...new Set(names)];
}

/** The path as a prefix of the paths below it; an empty path is the root. */
export function directoryPrefix(path: string): string {
  return path === '' ? '' : `${path}/`;
}
