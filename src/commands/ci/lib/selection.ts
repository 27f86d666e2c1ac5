import { usage } from '../../../errors.ts';

/** Where values are read: a key-value secret, a scheduler variable, registry keys, or a path of the secrets service. */
export type SourceKind = 'kv' | 'var' | 'key' | 'read';

/** One or all values of a source, as `PATH [KEY] [| NAME]` selects them. */
export interface Selection {
  readonly kind: SourceKind;
  readonly path: string;
  /** Undefined: all keys. */
  readonly key: string | undefined;
  /** Whether the names of all keys become upper case in the environment. */
  readonly isUpper: boolean;
  /** The name of the value; of all keys: the prefix of their names. */
  readonly name: string | undefined;
}

const syntax = "PATH [KEY] [| NAME], such as 'secret/app/db password | DB_PASSWORD'";

/**
 * Parses the values of a flag. Several selections are separated by semicolons or newlines, as in vault-action. KEY `*` is
 * all keys, with upper-case names in the environment; `**` keeps the case.
 *
 * @throws LanyardError usage
 */
export const parseSelections = (kind: SourceKind, values: readonly string[]): readonly Selection[] =>
  values
    .flatMap((value) => value.split(/[;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => parseSelection(kind, text));

function parseSelection(kind: SourceKind, text: string): Selection {
  const invalid = (problem: string) =>
    usage(`invalid --${kind} "${text}": ${problem}`, { hint: `Expected ${syntax}.` });
  const at = text.lastIndexOf('|');
  const name = at < 0 ? undefined : text.slice(at + 1).trim();
  const [path = '', given, ...more] = (at < 0 ? text : text.slice(0, at)).split(/\s+/).filter(Boolean);
  if (path === '') throw invalid('missing path');
  if (more.length > 0) throw invalid('too many words');
  if (name === '') throw invalid('missing name after "|"');
  if (name !== undefined && !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name))
    throw invalid('expected letters, digits, "_" and "-" in the name, and no digit at its start');
  if (given === undefined && name !== undefined)
    throw invalid('a name requires a key; use * for a prefix of all names');
  const key = given?.replace(/^"(.*)"$/, '$1');
  if (key === '') throw invalid('empty key');
  const isAll = key === undefined || key === '*' || key === '**';
  return { kind, path, key: isAll ? undefined : key, isUpper: key !== '**', name };
}
