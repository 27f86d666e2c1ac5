import { usage } from '../errors.ts';
import { type Json, numberTooLarge, parseJson } from '../wire/json.ts';
import { jsonErrorPosition } from '../wire/json-error.ts';
import { isObject } from '../wire/objects.ts';
import { type InputSources, type JsonObjectInput, readInputFile, readPairs } from './input-file.ts';
import { findPositions } from './json-positions.ts';

/**
 * Reads fields from a JSON file and from pairs, which override the fields of the file.
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
  const value = parseUserJson(text, name);
  if (!isObject(value)) throw usage(`${name} is not a JSON object`);
  return value;
}

/** As `parseUserJson`, without duplicate names, and with the lines on which the elements of an array begin. */
export function parseJsonWithLines(
  text: string,
  name: string,
): { readonly value: Json; readonly elementLines: readonly number[] } {
  const value = parseUserJson(text, name);
  const { elementLines, duplicateNameLine } = findPositions(text);
  if (duplicateNameLine !== undefined) throw duplicateNameError(name, duplicateNameLine);
  return { value, elementLines };
}

export const duplicateNameError = (name: string, line: number) =>
  usage(`${name}, line ${line}: duplicate field in an object`);

/** Parses JSON of the user. @throws LanyardError usage, with the position of the syntax error. */
function parseUserJson(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if ((error as Error).message === numberTooLarge) throw usage(`${name}: ${numberTooLarge}`);
    // The parser's message also quotes the text, which may be secret.
    const { line, column } = jsonErrorPosition(error, text);
    throw usage(`${name} is not valid JSON (line ${line} column ${column})`);
  }
}
