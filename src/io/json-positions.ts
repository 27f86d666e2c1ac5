import { endOfString, isName } from '../wire/json.ts';

/** Positions in a JSON text; lines are counted from 1. */
export interface JsonPositions {
  /** The lines on which the elements of the outermost array begin. */
  readonly elementLines: readonly number[];
  /** The line of the first duplicate name of an object, which a parser would drop. */
  readonly duplicateNameLine: number | undefined;
}

/** Finds positions in a text that is known to be valid JSON. */
export function findPositions(text: string): JsonPositions {
  const elementLines: number[] = [];
  // The open objects, with their names so far, and arrays.
  const open: (Set<string> | 'array')[] = [];
  let duplicateNameLine: number | undefined;
  let line = 1;
  let isNext = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\n') line += 1;
    if (/[\s:]/.test(character)) continue;
    if (character === ']' || character === '}') {
      open.pop();
      isNext = false;
      continue;
    }
    if (character === ',') {
      isNext = open.length === 1;
      continue;
    }
    if (isNext) elementLines.push(line);
    isNext = character === '[' && open.length === 0;
    if (character === '[') open.push('array');
    else if (character === '{') open.push(new Set());
    else if (character === '"') {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (names instanceof Set && isName(text, end)) {
        const name: string = JSON.parse(text.slice(index, end + 1));
        if (names.has(name)) duplicateNameLine ??= line;
        names.add(name);
      }
      index = end;
    }
  }
  return { elementLines, duplicateNameLine };
}
