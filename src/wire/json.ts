/** A JSON value; integers that a number cannot hold exactly are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

// Numbers that may be more than a number holds: many digits, or an exponent of three.
const large = /\d{16}|[eE]\+?0*[1-9]\d\d/;
/** The message for a number that would become no number. */
export const tooLarge = 'a number is too large';
const integer = /^-?\d+$/;

/**
 * Parses JSON without losing integers beyond 2^53 (they become bigints) and without losing keys (`__proto__`
 * is an own property like any other).
 *
 * @throws SyntaxError when the text is not JSON, or has a number that is beyond what JSON's readers hold (1e400).
 */
export function parseJson(text: string): Json {
  const value = parsed(text);
  const marked = text.includes('\\') ? withMarkedNames(text) : undefined;
  return marked === undefined ? value : withNames(parsed(marked.text), marked.names);
}

function parsed(text: string): Json {
  if (!large.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, exact) as Json;
}

/**
 * Marks the names in a text of JSON so that none of them has an escape: `=` is before a name that needs none, and `#N`
 * replaces the Nth one that does. V8 13.6 mistakes such a name for one that it read before in the same
 * place: after `{"\\\"":1,"\\":1}` the second name of `{"\\\"":1,"\n":1}` is a backslash.
 *
 * @returns undefined: no name has an escape.
 */
function withMarkedNames(
  text: string,
): { readonly text: string; readonly names: readonly string[] } | undefined {
  const names: string[] = [];
  const marks = new Map<string, string>();
  const markOf = (name: string): string => {
    const known = marks.get(name);
    if (known !== undefined) return known;
    const mark = JSON.stringify(name).includes('\\') ? `#${names.push(name) - 1}` : `=${name}`;
    marks.set(name, mark);
    return mark;
  };
  const parts: string[] = [];
  let copied = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start);
    if (isName(text, end)) {
      const written = text.slice(start + 1, end);
      const isEscaped = written.includes('\\');
      const mark = isEscaped ? markOf(JSON.parse(`"${written}"`) as string) : `=${written}`;
      parts.push(text.slice(copied, start + 1), mark);
      copied = end;
    }
    start = text.indexOf('"', end + 1);
  }
  return marks.size === 0 ? undefined : { text: parts.join('') + text.slice(copied), names };
}

/** The place of the quote that ends a string: one before which the number of backslashes is even. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (/[ \t\n\r]/.test(text.charAt(at))) at += 1;
  return text[at] === ':';
}

/** Undoes `withMarkedNames` in a value; not by recursion, because JSON may be deeper than the stack. */
function withNames(marked: Json, names: readonly string[]): Json {
  const nameOf = (mark: string): string =>
    mark.startsWith('#') ? (names[Number(mark.slice(1))] ?? '') : mark.slice(1);
  const renamed = (value: Json): Json =>
    isContainer(value) && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([mark, member]) => [nameOf(mark), member]))
      : value;
  const root = renamed(marked);
  const open = isContainer(root) ? [root] : [];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const members = container as { [key: string]: Json };
    for (const [key, member] of Object.entries(members)) {
      if (!isContainer(member)) continue;
      const inner = renamed(member);
      members[key] = inner;
      if (isContainer(inner)) open.push(inner);
    }
  }
  return root;
}

const isContainer = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null;

function exact(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (source !== undefined && integer.test(source)) return BigInt(source);
  if (!Number.isFinite(value)) throw new SyntaxError(tooLarge);
  return value;
}

/** Writes JSON; bigints come out as the integers they are. `indent` is a number of spaces, 0 for one line. */
export function formatJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // There is a bigint in it, which is rare: without asking about each field it takes a quarter of the time.
    return JSON.stringify(value, exactly, indent);
  }
}

const exactly = (_key: string, member: unknown): unknown =>
  typeof member === 'bigint' ? rawInteger(member) : member;

// JSON.rawJSON is in every runtime above the floor, and not yet in TypeScript's library.
const rawInteger = (JSON as unknown as { rawJSON(text: string | bigint): unknown }).rawJSON;
