import { foldName } from '../fold-name.ts';

/**
 * The key of something that belongs to something else. The length comes first: names may contain any character, and no
 * key may be a prefix of another name's keys.
 */
export function childKey(name: string, id: string): string {
  const folded = foldName(name);
  return `${folded.length}:${folded}/${foldName(id)}`;
}
