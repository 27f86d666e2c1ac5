/** A JSON value; integers that a number cannot hold exactly are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

export type JsonObject = { readonly [name: string]: Json };

/** A JSON Schema as a document. */
export interface JsonSchema {
  readonly $schema: string;
  readonly title?: string;
  readonly [keyword: string]: Json | undefined;
}

// Numbers that may exceed a double: many digits, or an exponent of three digits.
export const maybeUnsafeNumber = /\d{16}|[eE]\+?0*[1-9]\d\d/;
/** The message for a number that would become Infinity. */
export const numberTooLarge = 'a number is too large';
const integer = /^-?\d+$/;

/**
 * Parses JSON without losing integers beyond 2^53 (they become bigints) and without losing keys (`__proto__` is an
 * own property).
 *
 * @throws SyntaxError when the text is not JSON, or has a number that exceeds a double (1e400).
 */
export function parseJson(text: string): Json {
  const value = parseExact(text);
  const encoded = hasEscapedName(text) ? encodeNames(text) : undefined;
  return encoded === undefined ? value : decodeNames(parseExact(encoded.text), encoded.names);
}

/** The value of a JSON text; undefined: `parseJson` rejects it. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function parseExact(text: string): Json {
  // A text is no number, and a long one in base64 often looks as if it had one.
  if (text.startsWith('"') || !maybeUnsafeNumber.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, reviveExact) as Json;
}

/** Whether a name in a JSON text has an escape: few have, and encoding all names takes longer than parsing. */
function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; ) {
    const end = endOfString(text, at);
    if (isName(text, end)) return true;
    at = text.indexOf('\\', end);
  }
  return false;
}

/**
 * Encodes the names in a JSON text so that none has an escape: `=` precedes a name without one, and `#N` replaces the
 * Nth name that has one. V8 13.6 confuses such a name with an earlier one in the same position: after
 * `{"\\\"":1,"\\":1}` the second name of `{"\\\"":1,"\n":1}` is a backslash.
 *
 * @returns undefined: no name has an escape.
 */
function encodeNames(text: string): { readonly text: string; readonly names: readonly string[] } | undefined {
  const names: string[] = [];
  const encodedNames = new Map<string, string>();
  const encodeName = (name: string): string => {
    const known = encodedNames.get(name);
    if (known !== undefined) return known;
    const encodedName = JSON.stringify(name).includes('\\') ? `#${names.push(name) - 1}` : `=${name}`;
    encodedNames.set(name, encodedName);
    return encodedName;
  };
  const parts: string[] = [];
  let copied = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start);
    if (isName(text, end)) {
      const written = text.slice(start + 1, end);
      const isEscaped = written.includes('\\');
      const encodedName = isEscaped ? encodeName(JSON.parse(`"${written}"`) as string) : `=${written}`;
      parts.push(text.slice(copied, start + 1), encodedName);
      copied = end;
    }
    start = text.indexOf('"', end + 1);
  }
  return encodedNames.size === 0 ? undefined : { text: parts.join('') + text.slice(copied), names };
}

/** The index of the quote that ends a string: the first one after an even number of backslashes. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
}

/** Whether a string that ends at an index is the name of a field. */
export function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (/[ \t\n\r]/.test(text.charAt(at))) at += 1;
  return text[at] === ':';
}

/** Undoes `encodeNames` in a value; iterative, because JSON may be deeper than the stack. */
function decodeNames(encoded: Json, names: readonly string[]): Json {
  const decodeName = (encodedName: string): string =>
    encodedName.startsWith('#') ? (names[Number(encodedName.slice(1))] ?? '') : encodedName.slice(1);
  const renamed = (value: Json): Json =>
    isContainer(value) && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).map(([encodedName, member]) => [decodeName(encodedName), member]),
        )
      : value;
  const root = renamed(encoded);
  const open = isContainer(root) ? [root] : [];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const members = container as { [key: string]: Json };
    for (const [key, member] of Object.entries(members)) {
      if (!isContainer(member)) continue;
      const inner = renamed(member);
      setMember(members, key, inner);
      if (isContainer(inner)) open.push(inner);
    }
  }
  return root;
}

/** Sets a member. An assignment would set the prototype for the name "__proto__". */
export function setMember<Value>(members: { [key: string]: Value }, key: string, value: Value): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}

const isContainer = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null;

function reviveExact(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (source !== undefined && integer.test(source)) return BigInt(source);
  if (!Number.isFinite(value)) throw new SyntaxError(numberTooLarge);
  return value;
}

/** Writes JSON; bigints are written as integers. `indent` is a number of spaces, 0 for one line. */
export function formatJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // The replacer takes four times as long, so it is used only when there is a bigint.
    return JSON.stringify(value, replaceBigint, indent);
  }
}

const replaceBigint = (_key: string, member: unknown): unknown =>
  typeof member === 'bigint' ? rawInteger(member) : member;

// JSON.rawJSON exists in every supported runtime, but not yet in TypeScript's library.
const rawInteger = (JSON as unknown as { rawJSON(text: string | bigint): unknown }).rawJSON;
