import { dirname, isAbsolute, join } from 'node:path';
import type { Document, LineCounter } from 'yaml';
import { usage } from '../errors.ts';
import { type Json, tryParseJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { type FileSources, readInputFile } from './input-file.ts';
import { duplicateNameError, parseJsonWithLines } from './json-object.ts';
import { findPositions } from './json-positions.ts';

/** One entry of a list in a file. */
export interface ListEntry {
  readonly value: Json;
  /** The line where it begins, counted from 1. */
  readonly line: number;
}

/** A list from a file of the user. */
export interface ListFile {
  /** The file, for messages. */
  readonly name: string;
  readonly format: 'json' | 'jsonl' | 'yaml';
  readonly entries: readonly ListEntry[];
  /** Resolves a path that the file names, relative to the file. */
  readonly resolvePath: (path: string) => string;
}

/** Maximum length of a file: 64 values of 512 kB in base64, and some more. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a list: a JSON array, JSON objects one per line, a YAML sequence, or several YAML documents, each a sequence
 * or one entry. The extension selects the format; for any other name, and for standard input (`-`), the first
 * character does: `[` JSON, `{` one object per line, else YAML.
 *
 * @throws LanyardError usage: a file that cannot be read, has another format, contains no list, or has a duplicate
 * name in one object, with file and line. The content of the file is never shown.
 */
export async function readListFile(file: string, sources: FileSources): Promise<ListFile> {
  const { name, text } = await readInputFile(file, sources, maxBytes);
  if (text.trim() === '') throw usage(`${name} is empty`);
  const format = detectFormat(file, text);
  return {
    name,
    format,
    entries: await readers[format](text, name),
    resolvePath: (path) => (file === '-' || isAbsolute(path) ? path : join(dirname(file), path)),
  };
}

function detectFormat(file: string, text: string): ListFile['format'] {
  const extension = /\.(json|jsonl|ndjson|ya?ml)$/i.exec(file)?.[1]?.toLowerCase();
  if (extension === 'json') return 'json';
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl';
  if (extension !== undefined) return 'yaml';
  const first = text.trimStart().charAt(0);
  return first === '[' ? 'json' : first === '{' ? 'jsonl' : 'yaml';
}

type Reader = (text: string, name: string) => readonly ListEntry[] | Promise<readonly ListEntry[]>;

const readers: { readonly [Format in ListFile['format']]: Reader } = {
  json(text, name) {
    const { value: list, elementLines } = parseJsonWithLines(text, name);
    if (!Array.isArray(list)) throw usage(`${name} is not a list: expected a JSON array`);
    return list.map((value, index) => ({ value, line: elementLines[index] ?? 1 }));
  },
  jsonl: (text, name) =>
    text.split('\n').flatMap((row, index) => {
      const line = index + 1;
      if (row.trim() === '') return [];
      const value = parseRow(row, `${name}, line ${line}`);
      if (findPositions(row).duplicateNameLine !== undefined) throw duplicateNameError(name, line);
      return [{ value, line }];
    }),
  async yaml(text, name) {
    const { documents, lines, library } = await parseYamlDocuments(text);
    return documents.flatMap((document) => {
      rejectYamlProblems(document, lines, name);
      const { contents } = document;
      const lineOf = ({ range }: { readonly range: readonly [number, number, number] }): number =>
        lines.linePos(range[0]).line;
      if (library.isSeq(contents)) {
        const list: unknown[] = yamlToJs(document, name);
        return contents.items.map((item, index) => ({
          value: normalizeIntegers(list[index]),
          line: lineOf(item),
        }));
      }
      if (documents.length === 1) throw usage(`${name} is not a list: expected a YAML sequence`);
      // Nothing between two separators, or comments only.
      if (contents === null || (library.isScalar(contents) && contents.value === null)) return [];
      return [{ value: normalizeIntegers(yamlToJs(document, name)), line: lineOf(contents) }];
    });
  },
};

export type YamlText = Awaited<ReturnType<typeof parseYamlDocuments>>;

/** The documents of a YAML text, with exact integers. */
export async function parseYamlDocuments(text: string) {
  // The default export is the CommonJS module itself: a bundle has no other.
  const { default: library } = await import('yaml');
  const lines = new library.LineCounter();
  const documents: Document.Parsed[] = [
    ...library.parseAllDocuments(text, {
      lineCounter: lines,
      intAsBigInt: true,
      prettyErrors: false,
      // Dates, bytes and sets, which JSON does not have, are then warnings.
      resolveKnownTags: false,
      // The library compares each name with all others.
      uniqueKeys: false,
    }),
  ];
  for (const document of documents) addDuplicates(document, library);
  return { documents, lines, library };
}

/** Adds an error for the first name of each map that it already has. */
function addDuplicates(
  document: Document.Parsed,
  { visit, isScalar, YAMLParseError }: typeof import('yaml'),
): void {
  visit(document, {
    Map(_key, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start = 0, end = start] = key.range ?? [];
        if (names.has(key.value)) {
          const error = new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique');
          document.errors.push(error);
          return;
        }
        names.add(key.value);
      }
    },
  });
}

/** @throws LanyardError usage: not YAML, or not representable in JSON; with the position, without the text. */
export function rejectYamlProblems(
  { errors, warnings }: Pick<Document, 'errors' | 'warnings'>,
  lines: LineCounter,
  name: string,
): void {
  const [problem] = [...errors, ...warnings];
  if (!problem) return;
  const { line, col } = lines.linePos(problem.pos[0]);
  const what = problem.code.toLowerCase().replaceAll('_', ' ');
  throw usage(`${name} is not valid YAML: ${what} (line ${line} column ${col})`);
}

function parseRow(row: string, place: string): Json {
  const value = tryParseJson(row);
  if (value !== undefined) return value;
  throw usage(`${place} is not valid JSON`, {
    hint: 'Expected one JSON object per line, a JSON array ("[...") or a YAML sequence ("- ...").',
  });
}

/** The value of a YAML document. @throws LanyardError usage: its aliases expand without limit. */
export function yamlToJs<Value>(document: { toJS(): Value }, name: string): Value {
  try {
    return document.toJS();
  } catch {
    // The library's guard against alias expansion.
    throw usage(`${name} is not valid YAML: too many aliases`);
  }
}

/** Integers are read as bigints, so that none is rounded; those that are safe become numbers. */
export function normalizeIntegers(value: unknown): Json {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(normalizeIntegers);
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, normalizeIntegers(member)]),
    );
  return value as Json;
}
