import { LanyardError, usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import { suggest } from '../wire/suggest.ts';
import { parseDotenv } from './dotenv.ts';
import {
  type InputSources,
  isHclFile,
  type JsonObjectInput,
  readInputFile,
  readPairs,
} from './input-file.ts';
import { parseJsonWithLines } from './json-object.ts';
import { rejectYamlProblems } from './list-file.ts';

/** Names and values, in order. */
export type Items = Readonly<Record<string, string>>;

/** The formats of items in a file. */
export const itemFormats = ['json', 'yaml', 'env', 'hcl'] as const;
export type ItemFormat = (typeof itemFormats)[number];

/** Items to write: pairs, and a file (`-`: standard input); the default format follows from its name or content. */
export interface ItemsInput extends JsonObjectInput {
  readonly format?: ItemFormat | undefined;
}

/** Items, and the other fields if the file contains a variable. */
export interface VariableInput {
  readonly items: Items;
  /** Decimal; absent if the file has none or 0. */
  readonly modifyIndex?: string;
  readonly path?: string;
  readonly namespace?: string;
}

/**
 * Reads items: from the file, and the pairs, which replace them. Sources of pairs are read as by `readSecret`,
 * and may be any text, also empty.
 *
 * @throws LanyardError usage: a source that cannot be read, a file as `parseItems` rejects it.
 */
export const readItems = async (input: ItemsInput, sources: InputSources): Promise<Items> =>
  (await readVariable(input, sources)).items;

/** Reads a variable: its items as `readItems`, and its other fields. @throws LanyardError as `readItems` */
export async function readVariable(input: ItemsInput, sources: InputSources): Promise<VariableInput> {
  let variable: VariableInput = { items: {} };
  if (input.file !== undefined) {
    const { name, text } = await readInputFile(input.file, sources);
    variable = await parseVariable(text, name, input.format ?? formatFromName(input.file));
  }
  const items = [...Object.entries(variable.items), ...(await readPairs(input.pairs, sources))];
  return { ...variable, items: Object.fromEntries(items) };
}

/** The format by the extension of a file. */
function formatFromName(file: string): ItemFormat | undefined {
  if (/\.json$/i.test(file)) return 'json';
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  if (isHclFile(file)) return 'hcl';
  return /\.env$|(^|[/\\])\.env\b/i.test(file) ? 'env' : undefined;
}

/**
 * The items in a text: an object of texts, or the `Items` of a complete variable. Without a format, the first
 * character selects JSON (`{`), a block of items HCL, and a first line such as `NAME=` dotenv; anything else is YAML.
 *
 * @throws LanyardError usage: not of its format, a duplicate name, a value that is not text. The content is never
 * shown.
 */
export const parseItems = async (text: string, name: string, format?: ItemFormat): Promise<Items> =>
  (await parseVariable(text, name, format)).items;

async function parseVariable(text: string, name: string, format?: ItemFormat): Promise<VariableInput> {
  const chosen = format ?? detectFormat(text);
  try {
    return await readers[chosen](text, name);
  } catch (error) {
    const isGuessedHcl =
      format === undefined && chosen === 'hcl' && error instanceof LanyardError && !error.hint;
    throw isGuessedHcl ? error.withHint('If the file has another format, name it with --format.') : error;
  }
}

function detectFormat(text: string): ItemFormat {
  if (/^\s*\{/.test(text)) return 'json';
  // A specification of a variable, as Nomad writes it.
  if (/^items[ \t]*(=[ \t]*)?\{[ \t]*\r?$/m.test(text)) return 'hcl';
  const first = text.split('\n').find((line) => /^\s*[^\s#]/.test(line)) ?? '';
  return /^\s*(export\s+)?[\w.-]+=/.test(first) ? 'env' : 'yaml';
}

/** The fields of a variable, as in files of other programs. */
const fieldNames = ['Namespace', 'Path', 'CreateIndex', 'ModifyIndex', 'CreateTime', 'ModifyTime', 'Items'];
const hclFieldNames = [
  'namespace',
  'path',
  'create_index',
  'modify_index',
  'create_time',
  'modify_time',
  'items',
];

/** @throws LanyardError usage: a field that a variable does not have */
function rejectUnknownFields(names: Iterable<string>, known: readonly string[], name: string): void {
  for (const field of names) {
    if (known.includes(field)) continue;
    const meant = suggest(field, known);
    throw usage(`${name}: unknown field "${field}" of a variable`, {
      hint: meant === undefined ? `Valid fields: ${known.join(', ')}.` : `Did you mean "${meant}"?`,
    });
  }
}

/** The fields of a variable besides its items. */
function variableFields(getField: (name: string) => unknown): Omit<VariableInput, 'items'> {
  const [path, namespace] = [getField('Path'), getField('Namespace')];
  const modifyIndex = String(getField('ModifyIndex') ?? '');
  return {
    ...(/^[1-9]\d*$/.test(modifyIndex) ? { modifyIndex } : {}),
    ...(typeof path === 'string' && path !== '' ? { path } : {}),
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
  };
}

type Reader = (text: string, name: string) => VariableInput | Promise<VariableInput>;

const readers: { readonly [Format in ItemFormat]: Reader } = {
  json(text, name) {
    const { value } = parseJsonWithLines(text, name);
    const variable = isObject(value) && isObject(value.Items) ? value : undefined;
    if (variable) rejectUnknownFields(Object.keys(variable), fieldNames, name);
    const items = variable?.Items ?? value;
    if (!isObject(items)) throw notItemsError(name);
    const texts = Object.entries(items).map(([key, item]) => {
      if (typeof item === 'string') return [key, item];
      throw usage(`${name}: the value of "${key}" is not a string`, {
        hint: 'Put numbers, true and false in quotes, and anything else as JSON in a string.',
      });
    });
    return {
      items: Object.fromEntries(texts),
      ...(variable ? variableFields((field) => variable[field]) : {}),
    };
  },
  env: (text, name) => ({ items: parseDotenv(text, name) }),
  async hcl(text, name) {
    const { readHclObject } = await import('./hcl-object.ts');
    const { value, lineOf } = readHclObject(text, name);
    rejectUnknownFields(Object.keys(value), hclFieldNames, name);
    // Several blocks are one, as in Nomad; without one, the items are from the command line.
    const blocks = Array.isArray(value.items) ? value.items : [value.items ?? {}];
    if (!blocks.every(isObject))
      throw usage(`${name} contains no items: expected a block "items" whose values are strings`);
    const texts = blocks
      .flatMap((block) => (isObject(block) ? Object.entries(block) : []))
      .map(([key, item]): [string, string] => {
        if (typeof item === 'string') return [key, item];
        // As Nomad stores a number.
        if (typeof item === 'number' || typeof item === 'bigint') return [key, String(item)];
        throw usage(`${name}, line ${lineOf(['items', key])}: the value of "${key}" is not a string`, {
          hint: 'Put numbers, true and false in quotes, and anything else as JSON in a string.',
        });
      });
    const fields = { Path: value.path, Namespace: value.namespace, ModifyIndex: value.modify_index };
    return {
      items: Object.fromEntries(texts),
      ...variableFields((field) => fields[field as keyof typeof fields]),
    };
  },
  async yaml(text, name) {
    // The default export is the CommonJS module itself: a bundle has no other.
    const { default: library } = await import('yaml');
    const lines = new library.LineCounter();
    // In this schema every value is text, as written: 1.10 and yes are not converted.
    const document = library.parseDocument(text, {
      lineCounter: lines,
      schema: 'failsafe',
      prettyErrors: false,
    });
    rejectYamlProblems(document, lines, name);
    const variable = document.contents;
    if (variable === null) return { items: {} };
    const inner = library.isMap(variable) ? variable.get('Items') : undefined;
    const map = library.isMap(inner) ? inner : variable;
    if (!library.isMap(map)) throw notItemsError(name);
    const texts = map.items.map(({ key, value }) => {
      const line = lines.linePos((library.isNode(key) ? key.range?.[0] : undefined) ?? 0).line;
      if (!library.isScalar(key)) throw usage(`${name}, line ${line}: a name must be a string`);
      if (value === null) return [String(key.value), ''];
      if (!library.isScalar(value))
        throw usage(`${name}, line ${line}: the value of "${key.value}" is not a string`);
      if (value.type === 'PLAIN' && /^(~|null|Null|NULL)$/.test(String(value.value)))
        throw usage(`${name}, line ${line}: the value of "${key.value}" is null; expected a string`, {
          hint: 'Use "" for an empty string and "null" for the word itself.',
        });
      return [String(key.value), String(value.value)];
    });
    const isVariable = library.isMap(inner) && library.isMap(variable);
    if (isVariable)
      rejectUnknownFields(
        variable.items.map(({ key }) => String(library.isScalar(key) ? key.value : key)),
        fieldNames,
        name,
      );
    return {
      items: Object.fromEntries(texts),
      ...(isVariable ? variableFields((field) => variable.get(field)) : {}),
    };
  },
};

const notItemsError = (name: string) =>
  usage(`${name} contains no items: expected an object whose values are strings`);
