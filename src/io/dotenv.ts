import { usage } from '../errors.ts';

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Reads lines of `NAME=value`, as in shells and dotenv files: blank lines and `#` comments, an optional `export`,
 * single quotes (literal), double quotes (`\n`, `\r`, `\t`, `\"`, `\\`, `\$` and `` \` `` are escapes); quoted values
 * may span lines. Nothing is expanded. The output of `--output env` is read back exactly.
 *
 * @throws LanyardError usage: an invalid line, an unclosed quote, a duplicate name.
 */
export function parseDotenv(text: string, file: string): Readonly<Record<string, string>> {
  const items = new Map<string, string>();
  const start = /[ \t]*(?:(#[^\n]*)?\r?(?:\n|$)|(?:export[ \t]+)?([^\s=#'"]+)=)/y;
  for (let at = 0; at < text.length; ) {
    const line = text.slice(0, at).split('\n').length;
    const syntaxError = (problem: string) => usage(`${file}, line ${line}: ${problem}`);
    start.lastIndex = at;
    const match = start.exec(text);
    if (!match) throw syntaxError('expected NAME=value');
    at = start.lastIndex;
    const name = match[2];
    if (name === undefined) continue;
    if (items.has(name)) throw syntaxError(`duplicate name "${name}"`);
    const { value, end } = /['"]/.test(text.charAt(at))
      ? readQuoted(text, at, syntaxError)
      : readUnquoted(text, at);
    items.set(name, value);
    at = end;
  }
  return Object.fromEntries(items);
}

/** Up to the end of the line, or a comment. */
function readUnquoted(text: string, from: number) {
  const newline = text.indexOf('\n', from);
  const end = newline < 0 ? text.length : newline;
  const line = text.slice(from, end);
  return { value: line.replace(/\s#[\s\S]*$/, '').trim(), end };
}

/** Quoted pieces one after the other, as in 'it'\''s'. */
function readQuoted(text: string, from: number, syntaxError: (problem: string) => Error) {
  const piece = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\(['"])/y;
  const rest = /[ \t]*(#[^\n]*)?\r?(?=\n|$)/y;
  let value = '';
  let at = from;
  for (;;) {
    piece.lastIndex = at;
    const match = piece.exec(text);
    if (!match) break;
    at = piece.lastIndex;
    value += match[1] ?? match[3] ?? (match[2] ?? '').replaceAll(/\\([nrt"\\$`])/g, unescapeCharacter);
  }
  rest.lastIndex = at;
  if (!rest.test(text)) throw syntaxError('unterminated quote, or text after the closing quote');
  return { value, end: rest.lastIndex };
}

const unescapeCharacter = (_all: string, character: string): string => escapes[character] ?? character;
