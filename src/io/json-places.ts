/** Where things stand in a text of JSON; lines are counted from 1. */
export interface Places {
  /** The lines on which the elements of the outermost array begin. */
  readonly elements: readonly number[];
  /** The line of the first name that its object has already: a parser would drop one of the two. */
  readonly twice: number | undefined;
}

/** Finds the places of a text that was parsed before, and so is known to be JSON. */
export function placesIn(text: string): Places {
  const elements: number[] = [];
  // What is open at this place: the names that an object has so far, or an array.
  const open: (Set<string> | 'array')[] = [];
  let twice: number | undefined;
  let line = 1;
  let isNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
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
    if (isNext) elements.push(line);
    isNext = character === '[' && open.length === 0;
    if (character === '[') open.push('array');
    else if (character === '{') open.push(new Set());
    else if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names instanceof Set && isName(text, end)) {
        const name: string = JSON.parse(text.slice(at, end + 1));
        if (names.has(name)) twice ??= line;
        names.add(name);
      }
      at = end;
    }
  }
  return { elements, twice };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text[at] === ':';
}
