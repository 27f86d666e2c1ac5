import type { Node } from 'yaml';
import { usage } from '../errors.ts';
import type { Json } from '../wire/json.ts';
import { type FileSources, hclUnsupported, isHcl, readInputFile } from './input-file.ts';
import { parseUserJson } from './json-object.ts';
import { findPositions } from './json-positions.ts';
import {
  duplicateNameError,
  normalizeIntegers,
  parseYamlDocuments,
  rejectYamlProblems,
  yamlToJs,
} from './list-file.ts';

/** Names of fields and indexes in lists, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** One object of a definition file. */
export interface Definition {
  readonly value: Json;
  /** The line of the value at a path, counted from 1; of the nearest existing one if it is missing. */
  readonly lineOf: (path: JsonPath) => number;
}

/** The objects of a file, in order. */
export interface Definitions {
  /** The file, for messages. */
  readonly name: string;
  readonly definitions: readonly Definition[];
}

/** Maximum length of a file. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a file of definitions: one JSON object or an array of them, or YAML documents, each one object or a sequence
 * of them. The extension selects the format (.json, .yaml, .yml); for any other name, and for standard input (`-`),
 * the first character does: `{` or `[` JSON, else YAML.
 *
 * @throws LanyardError usage: a file that cannot be read, has another format, contains no object, or has a duplicate
 * name in one object. The content of the file is never shown.
 */
export async function readDefinitions(file: string, sources: FileSources): Promise<Definitions> {
  const { name, text } = await readInputFile(file, sources, maxBytes);
  if (isHcl(file, '')) throw hclUnsupported(name);
  const isYaml = /\.ya?ml$/i.test(file) || !(/\.json$/i.test(file) || /^\uFEFF?\s*[{[]/.test(text));
  return isYaml ? parseYamlDefinitions(text, name) : parseJsonDefinitions(text.replace(/^\uFEFF/, ''), name);
}

async function parseJsonDefinitions(text: string, name: string): Promise<Definitions> {
  const value = parseUserJson(text, name);
  const { duplicateNameLine: duplicateLine } = findPositions(text);
  if (duplicateLine !== undefined) throw duplicateNameError(name, duplicateLine);
  // JSON is YAML, and the YAML parser reports line numbers.
  const [document] = (await parseYamlDocuments(text)).documents;
  const lineOf = await createLineFinder(text, document?.contents ?? null);
  return requireDefinitions(name, toDefinitions(value, lineOf));
}

/** Reads the objects in a YAML text. @throws LanyardError usage, as `readDefinitions`. */
export async function parseYamlDefinitions(text: string, name: string): Promise<Definitions> {
  const { documents, lines } = await parseYamlDocuments(text);
  const definitions: Definition[] = [];
  for (const document of documents) {
    rejectYamlProblems(document, lines, name);
    if (document.contents === null) continue;
    const value = normalizeIntegers(yamlToJs(document, name));
    // Nothing between two separators, or comments only.
    if (value === null) continue;
    definitions.push(...toDefinitions(value, await createLineFinder(text, document.contents)));
  }
  return requireDefinitions(name, definitions);
}

function requireDefinitions(name: string, definitions: readonly Definition[]): Definitions {
  if (definitions.length === 0) throw usage(`${name} contains no definitions`);
  return { name, definitions };
}

const toDefinitions = (value: Json, lineOf: Definition['lineOf']): readonly Definition[] =>
  Array.isArray(value)
    ? value.map((element, index) => ({ value: element, lineOf: (path) => lineOf([index, ...path]) }))
    : [{ value, lineOf }];

async function createLineFinder(text: string, contents: Node | null): Promise<Definition['lineOf']> {
  const { default: library } = await import('yaml');
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  return (path) => {
    let node: unknown = contents;
    let offset = contents?.range?.[0] ?? 0;
    for (const step of path) {
      let next: unknown;
      if (library.isMap(node)) {
        const pair = node.items.find(({ key }) => library.isScalar(key) && key.value === step);
        next = pair?.value;
        if (library.isScalar(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      } else if (library.isSeq(node) && typeof step === 'number') {
        next = node.items[step];
        if (library.isNode(next)) offset = next.range?.[0] ?? offset;
      }
      if (next === undefined) break;
      node = next;
    }
    return lineAt(offset);
  };
}
