import type { Node } from 'yaml';
import { usage } from '../errors.ts';
import type { Json } from '../wire/json.ts';
import {
  type FileSources,
  hclUnsupported,
  isHclFile,
  type JsonPath,
  looksLikeHcl,
  readInputFile,
} from './input-file.ts';
import { parseJsonWithLines } from './json-object.ts';
import {
  normalizeIntegers,
  parseYamlDocuments,
  rejectYamlProblems,
  type YamlText,
  yamlToJs,
} from './list-file.ts';
import { yamlOffsets } from './yaml-offsets.ts';

export interface Definition {
  readonly value: Json;
  /** The line of the value at a path, counted from 1; of the nearest existing one if it is missing. */
  readonly lineOf: (path: JsonPath) => number;
}

export interface Definitions {
  /** The file, for messages. */
  readonly name: string;
  /** HCL has names of its own for the fields of some objects. */
  readonly isHcl: boolean;
  readonly definitions: readonly Definition[];
}

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a file of definitions: one JSON object or an array of them, or YAML documents, each one object or a sequence
 * of them, or one object in HCL where the product takes it. The extension selects the format (.json, .yaml, .yml,
 * .hcl); for any other name, and for standard input (`-`), the first character does: `{` or `[` JSON, else YAML, or
 * HCL if the first line begins like an assignment or a block.
 *
 * @param takesHcl whether the product takes HCL.
 * @throws LanyardError usage: a file that cannot be read, has another format, contains no object, or has a duplicate
 * name in one object. The content of the file is never shown.
 */
export async function readDefinitions(
  file: string,
  sources: FileSources,
  takesHcl = false,
): Promise<Definitions> {
  const { name, text } = await readInputFile(file, sources, maxBytes);
  if (isHclFile(file) && !takesHcl) throw hclUnsupported(name);
  if (takesHcl && (isHclFile(file) || (!/\.(json|ya?ml)$/i.test(file) && looksLikeHcl(text)))) {
    const { readHclObject } = await import('./hcl-object.ts');
    return { name, isHcl: true, definitions: [readHclObject(text, name)] };
  }
  const isYaml = /\.ya?ml$/i.test(file) || !(/\.json$/i.test(file) || /^\s*[{[]/.test(text));
  return isYaml ? parseYamlDefinitions(text, name) : parseJsonDefinitions(text, name);
}

async function parseJsonDefinitions(text: string, name: string): Promise<Definitions> {
  const { value } = parseJsonWithLines(text, name);
  // JSON is YAML, and the YAML parser reports line numbers.
  const yaml = await parseYamlDocuments(text);
  return requireDefinitions(name, toDefinitions(value, createLineFinder(yaml, yaml.documents[0]?.contents)));
}

/** Reads the objects in a YAML text. @throws LanyardError usage, as `readDefinitions`. */
export async function parseYamlDefinitions(text: string, name: string): Promise<Definitions> {
  const yaml = await parseYamlDocuments(text);
  const definitions: Definition[] = [];
  for (const document of yaml.documents) {
    rejectYamlProblems(document, yaml.lines, name);
    if (document.contents === null) continue;
    const value = normalizeIntegers(yamlToJs(document, name));
    // Nothing between two separators, or comments only.
    if (value === null) continue;
    definitions.push(...toDefinitions(value, createLineFinder(yaml, document.contents)));
  }
  return requireDefinitions(name, definitions);
}

function requireDefinitions(name: string, definitions: readonly Definition[]): Definitions {
  if (definitions.length === 0) throw usage(`${name} contains no definitions`);
  return { name, isHcl: false, definitions };
}

const toDefinitions = (value: Json, lineOf: Definition['lineOf']): readonly Definition[] =>
  Array.isArray(value)
    ? value.map((element, index) => ({ value: element, lineOf: (path) => lineOf([index, ...path]) }))
    : [{ value, lineOf }];

function createLineFinder(
  { library, lines }: Pick<YamlText, 'library' | 'lines'>,
  contents: Node | null | undefined,
): Definition['lineOf'] {
  const offsetOf = yamlOffsets(library, contents);
  return (path) => lines.linePos(offsetOf(path)).line;
}
