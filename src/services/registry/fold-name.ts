/**
 * A name as the registry compares it: the case of each character is ignored, as in the product. Rows
 * keep the case. Keys of the key-value store, permissions and metadata are compared with case.
 */
export function foldName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters of ASCII
  if (/^[\x00-\x7f]*$/.test(name)) return name.toLowerCase();
  let folded = '';
  // The lower case of a text may depend on neighbors and have more characters.
  for (const character of name) folded += character === 'İ' ? 'i' : character.toLowerCase();
  return folded;
}

/**
 * The key of something that belongs to something else. The length comes first: names may contain any character, and no
 * key may be a prefix of another name's keys.
 */
export function childKey(name: string, id: string): string {
  const folded = foldName(name);
  return `${folded.length}:${folded}/${foldName(id)}`;
}

export const isSameName = (a: string, b: string): boolean => a === b || foldName(a) === foldName(b);
