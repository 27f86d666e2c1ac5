import { usage } from '../errors.ts';
import { dotenvItems } from './dotenv.ts';
import { namedTwice, refuseProblems } from './entries.ts';
import { decodeText } from './files.ts';
import { hclUnsupported, isHcl } from './hcl.ts';
import type { Io } from './io.ts';
import { placesIn } from './json-places.ts';
import { jsonOf } from './members.ts';

/** Names and texts, in order. */
export type Items = Readonly<Record<string, string>>;

/** How items stand in a file. */
export const itemFormats = ['json', 'yaml', 'env'] as const;
export type ItemFormat = (typeof itemFormats)[number];

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly isSource: boolean;
}

/** What a user wants written: pairs, and a file (`-`: standard input) in a format that its name or content says. */
export interface GivenItems {
  readonly pairs: readonly Pair[];
  readonly file: string | undefined;
  readonly format?: ItemFormat | undefined;
}

interface Sources {
  readonly io: Pick<Io, 'secret' | 'readStdin'>;
  readonly readText: (path: string, what: string, limit: number) => Promise<string>;
}

/** Bytes that a file may have. */
const longest = 1024 * 1024;

/** Items, and what else the file says where it holds a whole variable. */
export interface GivenVariable {
  readonly items: Items;
  /** Decimal; absent where the file does not have it, or it is 0. */
  readonly modifyIndex?: string;
  readonly path?: string;
  readonly namespace?: string;
}

/**
 * Reads items: those of the file, and the pairs, which take their place. Sources of pairs are read as those of
 * every secret are (`readSecret`), but may be any text: also none at all.
 *
 * @throws LanyardError usage: a source that cannot be read, a file as `itemsIn` rejects it.
 */
export const readItems = async (given: GivenItems, sources: Sources): Promise<Items> =>
  (await readVariable(given, sources)).items;

/** Reads a variable: its items as `readItems`, and what else the file says of it. @throws LanyardError as `readItems` */
export async function readVariable(given: GivenItems, { io, readText }: Sources): Promise<GivenVariable> {
  const items: [string, string][] = [];
  let variable: GivenVariable = { items: {} };
  if (given.file !== undefined) {
    const isInput = given.file === '-';
    const name = isInput ? 'standard input' : given.file;
    const text = isInput
      ? decodeText(await io.readStdin(), name)
      : await readText(given.file, 'the input', longest);
    variable = await variableIn(text, name, given.format ?? formatNamed(given.file));
    items.push(...Object.entries(variable.items));
  }
  for (const { key, value, isSource } of given.pairs) {
    const what = `the value of "${key}"`;
    items.push([key, isSource ? await io.secret(value, what, { isAnyText: true }) : value]);
  }
  return { ...variable, items: Object.fromEntries(items) };
}

/** The format that the name of a file says. */
export function formatNamed(file: string): ItemFormat | undefined {
  if (/\.json$/i.test(file)) return 'json';
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  return /\.env$|(^|[/\\])\.env\b/i.test(file) ? 'env' : undefined;
}

/**
 * The items in a text: an object of texts, or a whole variable, whose `Items` are meant. Without a format, the
 * first character says JSON (`{`), and a first line such as `NAME=` dotenv; anything else is YAML.
 *
 * @throws LanyardError usage: it is not of its format, a name is duplicated, a value is not text. What is in the
 * text is never shown.
 */
export const itemsIn = async (text: string, name: string, format?: ItemFormat): Promise<Items> =>
  (await variableIn(text, name, format)).items;

async function variableIn(text: string, name: string, format?: ItemFormat): Promise<GivenVariable> {
  const bare = text.replace(/^\uFEFF/, '');
  return readers[format ?? formatOf(bare, name)](bare, name);
}

/** @throws LanyardError usage: it is HCL. */
function formatOf(text: string, name: string): ItemFormat {
  if (/^\s*\{/.test(text)) return 'json';
  if (isHcl(name, text))
    throw hclUnsupported(name, 'Convert it to JSON or YAML, or name its format with --format.');
  const first = text.split('\n').find((line) => /^\s*[^\s#]/.test(line)) ?? '';
  return /^\s*(export\s+)?[\w.-]+=/.test(first) ? 'env' : 'yaml';
}

/** What a whole variable says of itself, besides its items. */
function specOf(of: (name: string) => unknown): Omit<GivenVariable, 'items'> {
  const [path, namespace] = [of('Path'), of('Namespace')];
  const modifyIndex = String(of('ModifyIndex') ?? '');
  return {
    ...(/^[1-9]\d*$/.test(modifyIndex) ? { modifyIndex } : {}),
    ...(typeof path === 'string' && path !== '' ? { path } : {}),
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
  };
}

type Reader = (text: string, name: string) => GivenVariable | Promise<GivenVariable>;

const readers: { readonly [Format in ItemFormat]: Reader } = {
  json(text, name) {
    const value = jsonOf(text, name);
    const { twice } = placesIn(text);
    if (twice !== undefined) throw namedTwice(name, twice);
    const whole = isObject(value) && isObject(value.Items) ? value : undefined;
    const items = whole?.Items ?? value;
    if (!isObject(items)) throw notItems(name);
    const texts = Object.entries(items).map(([key, item]) => {
      if (typeof item === 'string') return [key, item];
      throw usage(`${name}: the value of "${key}" is not a string`, {
        hint: 'Put numbers, true and false in quotes, and anything else as JSON in a string.',
      });
    });
    return { items: Object.fromEntries(texts), ...(whole ? specOf((field) => whole[field]) : {}) };
  },
  env: (text, name) => ({ items: dotenvItems(text, name) }),
  async yaml(text, name) {
    // The default export is the CommonJS module itself: a bundle has no other.
    const { default: library } = await import('yaml');
    const lines = new library.LineCounter();
    // Every value is text in this schema, as written: 1.10 and yes stay what they are.
    const document = library.parseDocument(text, {
      lineCounter: lines,
      schema: 'failsafe',
      prettyErrors: false,
    });
    refuseProblems(document, lines, name);
    const whole = document.contents;
    if (whole === null) return { items: {} };
    const inner = library.isMap(whole) ? whole.get('Items') : undefined;
    const map = library.isMap(inner) ? inner : whole;
    if (!library.isMap(map)) throw notItems(name);
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
    const isWhole = library.isMap(inner) && library.isMap(whole);
    return {
      items: Object.fromEntries(texts),
      ...(isWhole ? specOf((field) => whole.get(field)) : {}),
    };
  },
};

const notItems = (name: string) =>
  usage(`${name} contains no items: expected an object whose values are strings`);

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
