import { usage } from '../errors.ts';
import { type Json, numberTooLarge, parseJson } from '../wire/json.ts';
import { decodeText } from './files.ts';
import type { Io } from './io.ts';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly isSource: boolean;
}

interface Sources {
  readonly io: Pick<Io, 'readSecret' | 'readStdin'>;
  readonly readText: (path: string, what: string) => Promise<string>;
}

/**
 * Reads fields from a JSON file and from pairs; a pair replaces the field of its name. Sources of pairs are read as
 * by `readSecret`, and may be any text.
 *
 * @throws LanyardError usage: a source that cannot be read, a file that is not one JSON object. The content of the
 * file is never shown.
 */
export async function readJsonObject(
  input: { readonly pairs: readonly Pair[]; readonly file: string | undefined },
  sources: Sources,
): Promise<Readonly<Record<string, Json>>> {
  const members = input.file === undefined ? [] : Object.entries(await readObjectFile(input.file, sources));
  const options = { allowsAnyText: true };
  for (const { key, value, isSource } of input.pairs)
    members.push([
      key,
      isSource ? await sources.io.readSecret(value, `the value of "${key}"`, options) : value,
    ]);
  return Object.fromEntries(members);
}

async function readObjectFile(file: string, { io, readText }: Sources): Promise<{ [key: string]: Json }> {
  const name = file === '-' ? 'standard input' : file;
  const text = file === '-' ? decodeText(await io.readStdin(), name) : await readText(file, 'the input');
  const value = parseUserJson(text.replace(/^\uFEFF/, ''), name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${name} is not a JSON object`);
  return value;
}

/** Parses JSON of the user. @throws LanyardError usage, with the position of the syntax error. */
export function parseUserJson(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if ((error as Error).message === numberTooLarge) throw usage(`${name}: ${numberTooLarge}`);
    // The parser's message also quotes the text, which may be secret: only the position is used.
    const position = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
    throw usage(`${name} is not valid JSON${position === undefined ? '' : ` ${position}`}`);
  }
}
