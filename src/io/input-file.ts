import { LanyardError, usage } from '../errors.ts';
import { decodeText } from './files.ts';
import type { Io } from './io.ts';

/** Names of fields and indexes in lists, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** `K=V`, or `K=@FILE` and `K=-`, whose value is read from a file or from standard input. */
export interface Pair {
  readonly key: string;
  /** The value, or its source. */
  readonly value: string;
  readonly isSource: boolean;
}

/** Fields to write: pairs, and a JSON file (`-`: standard input). */
export interface JsonObjectInput {
  readonly pairs: readonly Pair[];
  readonly file: string | undefined;
}

/** Where files and standard input are read from. */
export interface FileSources {
  readonly io: Pick<Io, 'readStdin'>;
  readonly readText: (path: string, what: string, limit?: number) => Promise<string>;
}

/** Where files, standard input and the sources of pairs are read from. */
export interface InputSources extends FileSources {
  readonly io: Pick<Io, 'readSecret' | 'readStdin'>;
}

/**
 * Reads a text file, or standard input (`-`).
 *
 * @param maxBytes limit for a file (default 1 MiB).
 * @returns the text without a byte order mark, and the name of the file for messages.
 * @throws LanyardError usage: unreadable, too large, or not text.
 */
export async function readInputFile(
  file: string,
  { io, readText }: FileSources,
  maxBytes?: number,
): Promise<{ readonly name: string; readonly text: string }> {
  const name = file === '-' ? 'standard input' : file;
  const text =
    file === '-'
      ? decodeText(await io.readStdin(), name)
      : await readText(file, 'the input', maxBytes).catch(withFileNameHint(file));
  return { name, text: text.replace(/^\uFEFF/, '') };
}

/** Adds a hint for what is no file name: `@FILE` or the content itself. */
const withFileNameHint =
  (file: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || !/^[@{[]/.test(file)) throw error;
    const expected = 'Give the name of a file, or - for standard input';
    throw error.withHint(file.startsWith('@') ? `${expected}: ${file.slice(1)}.` : `${expected}.`);
  };

/** Keys and values of pairs. A source may contain any text. @throws LanyardError usage: an unreadable source. */
export async function readPairs(
  pairs: readonly Pair[],
  { io }: Pick<InputSources, 'io'>,
): Promise<(readonly [string, string])[]> {
  const entries: [string, string][] = [];
  for (const { key, value, isSource } of pairs) {
    const what = `the value of "${key}"`;
    entries.push([key, isSource ? await io.readSecret(value, what, { allowsAnyText: true }) : value]);
  }
  return entries;
}

export const isHclFile = (file: string): boolean => /\.hcl$/i.test(file);

/** Whether the first line of a text begins like an assignment or a block of HCL. */
export function looksLikeHcl(text: string): boolean {
  const first = text.split('\n').find((line) => /^\s*[^\s#/]/.test(line)) ?? '';
  return /^\s*(\w+|"[^"]*")\s*(=\s|("[^"]*"\s*)?\{)/.test(first);
}

/** The error for an HCL file. */
export const hclUnsupported = (name: string, hint = 'Convert it to JSON or YAML.') =>
  usage(`cannot read ${name}: HCL is not supported`, { hint });
