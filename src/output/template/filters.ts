import { formatJson } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import { shellQuote } from '../../wire/printable.ts';
import { dotenvValue } from '../env.ts';
import { outputText } from './values.ts';

/**
 * The filters of the template language that are kept: they depend only on their arguments, and read no file. Those for
 * pages are left out, and those that evaluate an expression in a text.
 */
export const keptFilters: readonly string[] = [
  ...['append', 'prepend', 'upcase', 'downcase', 'capitalize', 'strip', 'lstrip', 'rstrip', 'strip_newlines'],
  ...[
    'split',
    'replace',
    'replace_first',
    'replace_last',
    'remove',
    'remove_first',
    'remove_last',
    'truncate',
  ],
  ...[
    'plus',
    'minus',
    'times',
    'divided_by',
    'modulo',
    'abs',
    'ceil',
    'floor',
    'round',
    'at_least',
    'at_most',
  ],
  ...[
    'size',
    'first',
    'last',
    'slice',
    'reverse',
    'sort',
    'sort_natural',
    'uniq',
    'concat',
    'compact',
    'sum',
  ],
  ...['where', 'reject', 'find', 'find_index', 'has', 'group_by', 'date', 'url_encode', 'url_decode'],
  ...['xml_escape', 'base64_encode', 'sha256', 'hmac_sha256', 'default'],
];

type OwnFilter = (value: unknown, ...args: readonly unknown[]) => unknown;

/** The filters that are defined here. Each returns text that its format reads as the value, or fails. */
export const ownFilters: Readonly<Record<string, OwnFilter>> = {
  json: (value, indent = 0) => formatJson(value, numberArgument(indent, 'json')),
  toml: tomlValue,
  shell: (value) => shellQuote(withoutNul(outputText(value), 'a shell')),
  dotenv: (value) => dotenvQuoted(outputText(value)),
  indent: (value, width = 2) => indented(outputText(value), numberArgument(width, 'indent')),
  pem: pemText,
  base64_decode: (value) => decodeBase64(outputText(value)),
  map: (value, name) => listOf(value, 'map').map((item) => fieldOf(item, outputText(name))),
  join: (value, separator = ' ') => listOf(value, 'join').map(outputText).join(outputText(separator)),
};

/** @throws Error: not a whole number from 0 to 80. */
function numberArgument(value: unknown, filter: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 80) return value;
  throw new Error(`invalid argument of the filter "${filter}": expected a number from 0 to 80`);
}

function listOf(value: unknown, filter: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`the filter "${filter}" expects a list`);
}

function fieldOf(item: unknown, name: string): unknown {
  const value = isObject(item) && Object.hasOwn(item, name) ? item[name] : undefined;
  if (value === undefined) throw new Error(`an item has no field "${name}"`);
  return value;
}

function withoutNul(text: string, reader: string): string {
  if (text.includes('\0')) throw new Error(`${reader} cannot hold a NUL character`);
  return text;
}

/** A text, a number, a boolean or a list of them, as TOML. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  const text = outputText(value);
  if (typeof value !== 'string') return text;
  if (!text.isWellFormed()) throw new Error('TOML cannot hold an unpaired surrogate');
  // TOML has the escapes of JSON, and requires one for DEL too.
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

/** A text in quotes that all readers of .env files, systemd and shells read alike. */
function dotenvQuoted(text: string): string {
  const value = dotenvValue(withoutNul(text, 'an environment variable'));
  if (value !== undefined) return value;
  throw new Error(
    'readers of .env files parse the value differently: it contains a carriage return, or a single quote and one of " \\ $ `',
  );
}

/** Each line but the first is indented, except for empty ones: the first is indented by the template. */
const indented = (text: string, width: number): string =>
  text.replaceAll(/\n(?!\n|\r\n|$)/g, `\n${' '.repeat(width)}`);

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n(?:[\w+/=:,. -]*\r?\n)+?-----END \1-----/g;

/** The PEM blocks of a text, or of a list of texts (a chain), without a line break at the end. */
function pemText(value: unknown): string {
  const texts = (Array.isArray(value) ? value : [value]).map(outputText);
  return texts
    .map((text) => {
      const blocks = text.match(pemBlock);
      if (!blocks || text.replaceAll(pemBlock, '').trim() !== '')
        throw new Error('the filter "pem" expects PEM blocks');
      return blocks.join('\n').replaceAll('\r\n', '\n');
    })
    .join('\n');
}

function decodeBase64(text: string): string {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replaceAll(/\s/g, '')))
    throw new Error('the value is not base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'base64'));
  } catch {
    throw new Error('the decoded value is not UTF-8 text');
  }
}
