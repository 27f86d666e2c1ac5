import { usage } from '../errors.ts';
import { type Json, numberTooLarge, parseJson } from '../wire/json.ts';
import { type InputSources, type JsonObjectInput, readInputFile, readPairs } from './input-file.ts';

/**
 * Reads fields from a JSON file and from pairs, which override those of the file.
 *
 * @throws LanyardError usage: an unreadable source, or not one JSON object. The content of the file is never shown.
 */
export async function readJsonObject(
  input: JsonObjectInput,
  sources: InputSources,
): Promise<Readonly<Record<string, Json>>> {
  const fields = input.file === undefined ? {} : await readObjectFile(input.file, sources);
  return { ...fields, ...Object.fromEntries(await readPairs(input.pairs, sources)) };
}

async function readObjectFile(file: string, sources: InputSources): Promise<{ [key: string]: Json }> {
  const { name, text } = await readInputFile(file, sources);
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
