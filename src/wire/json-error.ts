import { endOfString, numberTooLarge } from './json.ts';

/** A position in a text; line and column from 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const space = /[ \t\n\r]*/y;
/** A word, a number or anything that is not punctuation. */
const word = /[^\s{}[\],:"]+/y;
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * The position of the syntax error in a text that is not JSON; its end if something is missing there.
 *
 * @param error of `JSON.parse`, which has the position of some errors only.
 */
export function jsonErrorPosition(error: unknown, text: string): TextPosition {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(String(error)) ?? [];
  if (line !== undefined) return { line: Number(line), column: Number(column) };
  const before = text.slice(0, jsonErrorOffset(text));
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}

/** What is wrong with a text that is not JSON, and where. The text itself is not quoted. */
export function jsonProblem(error: SyntaxError, text: string): TextPosition & { readonly what: string } {
  const isTooLarge = error.message === numberTooLarge;
  const [what] = isTooLarge ? [error.message] : (/^.*(?= in JSON at position )/s.exec(error.message) ?? []);
  return {
    what: what === undefined ? 'invalid JSON' : `invalid JSON: ${what}`,
    ...jsonErrorPosition(error, text),
  };
}

type State = 'value' | 'first element' | 'name' | 'first name' | ':' | 'separator';

function jsonErrorOffset(text: string): number {
  /** The closing brackets of the open objects and arrays. */
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at = skip(space, text, at);
    const character = text.charAt(at);
    const isName: boolean = state === 'name' || state === 'first name';
    const isValue: boolean = state === 'value' || state === 'first element';
    if (character === '"' && (isName || isValue)) {
      const end = endOfString(text, at);
      if (!isString(text.slice(at, end + 1))) return end < 0 ? text.length : at;
      at = end + 1;
      state = isName ? ':' : 'separator';
    } else if ((character === '{' || character === '[') && isValue) {
      open.push(character === '{' ? '}' : ']');
      at += 1;
      state = character === '{' ? 'first name' : 'first element';
    } else if (character !== '' && character === open.at(-1) && !['value', 'name', ':'].includes(state)) {
      open.pop();
      at += 1;
      state = 'separator';
    } else if (character === ':' && state === ':') {
      at += 1;
      state = 'value';
    } else if (character === ',' && state === 'separator' && open.length > 0) {
      at += 1;
      state = open.at(-1) === '}' ? 'name' : 'value';
    } else {
      const end = skip(word, text, at);
      if (!isValue || !scalar.test(text.slice(at, end))) return at;
      at = end;
      state = 'separator';
    }
  }
}

/** The index after a match that begins at an index. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function isString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'string';
  } catch {
    return false;
  }
}
