import { usage } from '../errors.ts';
import {
  type HclBody,
  HclError,
  type HclItem,
  type HclToken,
  type HclValue,
  parseHcl,
  unquote,
} from '../wire/hcl.ts';
import { type Json, parseJson } from '../wire/json.ts';
import type { JsonPath } from './input-file.ts';

interface Positioned {
  readonly value: Json;
  /** Where it begins. */
  readonly token: HclToken;
  /** Of an object or a list. */
  readonly members?: ReadonlyMap<string | number, Positioned>;
}

/**
 * Reads HCL as one object: an assignment is a field, a block a field with an object, and each label of a block a
 * field in it. Blocks of the same name are a list. Text in quotes is not a template, and there are no expressions.
 *
 * @param name of the file, for messages.
 * @returns `lineOf`: the line of the value at a path, or of the nearest existing one.
 * @throws LanyardError usage, with line and column. The content of the file is never shown.
 */
export function readHclObject(
  text: string,
  name: string,
): { readonly value: { readonly [field: string]: Json }; readonly lineOf: (path: JsonPath) => number } {
  try {
    const top = readBody(parseHcl(text.replace(/^\uFEFF/, ''), { hasNestedLists: true }), start);
    return { value: top.value as { [field: string]: Json }, lineOf: (path) => lineOf(top, path) };
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    // Without the text that was found, which may be secret.
    const problem = error.message
      .replace(/^line \d+: /, '')
      .replace(/(?:, found|(?<=quoted string)) .*$/s, '');
    throw usage(`${name}, line ${error.line}, column ${error.column}: ${problem}`);
  }
}

const start: HclToken = { kind: 'mark', text: '', line: 1, column: 1, lineBreaks: 0 };

function lineOf(top: Positioned, path: JsonPath): number {
  let at = top;
  for (const part of path) {
    const next = at.members?.get(part);
    if (!next) break;
    at = next;
  }
  return at.token.line;
}

function readBody({ items }: HclBody, token: HclToken): Positioned {
  const members = new Map<string, Positioned>();
  const repeated = new Set<string>();
  for (const item of items) {
    const [key] = item.keys;
    const name = nameOf(key);
    const read = readItem(item);
    const before = members.get(name);
    if (before && (item.isAssignment || !before.members))
      throw new HclError(key, `duplicate field ${JSON.stringify(name)}`);
    if (!before) members.set(name, read);
    else if (repeated.has(name))
      members.set(name, list([...(before.members?.values() ?? []), read], before.token));
    else members.set(name, list([before, read], before.token));
    if (before) repeated.add(name);
  }
  return object(members, token);
}

/** The value of an item: with labels, an object for each of them. */
function readItem({ keys, isAssignment, ...value }: HclItem): Positioned {
  const read = readValue(value);
  if (isAssignment) return read;
  return keys.slice(1).reduceRight((inner, label) => object(new Map([[nameOf(label), inner]]), label), read);
}

function readValue({ first, elements, body }: HclValue): Positioned {
  if (body) return readBody(body, first);
  return elements ? list(elements.map(readValue), first) : { value: scalarOf(first), token: first };
}

const object = (members: ReadonlyMap<string, Positioned>, token: HclToken): Positioned => ({
  value: Object.fromEntries([...members].map(([name, { value }]) => [name, value])),
  token,
  members,
});

const list = (elements: readonly Positioned[], token: HclToken): Positioned => ({
  value: elements.map(({ value }) => value),
  token,
  members: new Map(elements.entries()),
});

const nameOf = (token: HclToken): string => (token.text.startsWith('"') ? unquote(token) : token.text);

function scalarOf(token: HclToken): Json {
  const { text } = token;
  if (text.startsWith('"')) return unquote(token);
  if (text.startsWith('<<')) return heredoc(text);
  if (text === 'true' || text === 'false' || text === 'null') return JSON.parse(text);
  try {
    if (/^-?\d/.test(text)) return parseJson(text);
  } catch {
    // Reported below.
  }
  throw new HclError(token, 'expected a number, true, false or text in quotes');
}

/** The lines of a heredoc; with `<<-`, less their common indentation. */
function heredoc(text: string): string {
  const lines = text.split('\n').slice(1, -1);
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const indent = text.startsWith('<<-') ? Math.min(...indents, Number.POSITIVE_INFINITY) : 0;
  return lines.map((line) => `${line.slice(indent)}\n`).join('');
}
