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
 * Reads what a user wants written: the fields of a file of JSON, and pairs; a pair takes the place of a field of
 * its name. Sources of pairs are read as those of every secret are (`readSecret`), but may be any text.
 *
 * @throws LanyardError usage: a source that cannot be read, a file that is not one JSON object. What is in the
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

/** Parses JSON that a user wrote. @throws LanyardError usage, with the place where it ends to be JSON. */
export function parseUserJson(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if ((error as Error).message === numberTooLarge) throw usage(`${name}: ${numberTooLarge}`);
    // The message also quotes the text, which may be secret: the place is all that is taken of it.
    const position = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
    throw usage(`${name} is not valid JSON${position === undefined ? '' : ` ${position}`}`);
  }
}
