/**
 * The names directly below a prefix of keys, in their order; a name with others below it ends in a slash.
 * @param keys start with the prefix
 */
export function namesBelow(prefix: string, keys: readonly string[]): string[] {
  const names = keys.map((key) => {
    const slash = key.indexOf('/', prefix.length);
    return key.slice(prefix.length, slash < 0 ? undefined : slash + 1);
  });
  return [...new Set(names)];
}
