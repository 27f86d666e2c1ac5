import { usage } from '../../../errors.ts';
import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { jsonErrorPosition } from '../../../wire/json-error.ts';
import { compact, isObject } from '../../../wire/objects.ts';
import type { Pairs } from './secret-state.ts';
import { type KeptMetadata, keptMetadata } from './transfer/stored-secret.ts';

const format = 'lanyard-kv/1';

/** A secret in an exported file. */
export interface BackupSecret {
  /** Below the path of the file; empty: that path itself. */
  readonly path: string;
  /** The keys and values of the newest version. */
  readonly data: Pairs;
  /** The data of the versions before, oldest first. */
  readonly earlier?: readonly Pairs[];
  /** Absent: an engine of version 1, or the token could not read it. */
  readonly metadata?: KeptMetadata;
}

/** The content of an exported file: JSON, plain or encrypted. */
export interface Backup {
  /** The version of the format: `lanyard-kv/1`. */
  readonly format: string;
  /** Where the secrets were read: mount and directory. */
  readonly path: string;
  readonly secrets: readonly BackupSecret[];
}

export const backupOf = (path: string, secrets: readonly BackupSecret[]): Backup => ({
  format,
  path,
  secrets,
});

export const formatBackup = (backup: Backup): string => `${formatJson(backup, 2)}\n`;

/** Reads an exported file. @throws LanyardError usage, with all problems; no value is shown. */
export function parseBackup(content: string, name: string): Backup {
  const value = parse(content, name);
  if (
    !isObject(value) ||
    value.format !== format ||
    typeof value.path !== 'string' ||
    !Array.isArray(value.secrets)
  )
    throw usage(`${name} is not a file of "kv export" (expected the format ${format})`);
  const problems: string[] = [];
  const secrets = value.secrets.flatMap((each, index) => {
    const read = readSecret(each);
    if (typeof read !== 'string') return [read];
    problems.push(`secrets[${index}]: ${read}`);
    return [];
  });
  const seen = new Set<string>();
  for (const { path } of secrets) {
    if (seen.has(path)) problems.push(`secret "${path}" is in the file twice`);
    seen.add(path);
  }
  if (problems.length > 0)
    throw usage(`invalid file ${name}; nothing was written`, { details: problems.slice(0, 20) });
  return { format, path: value.path, secrets };
}

function parse(content: string, name: string): Json {
  try {
    return parseJson(content);
  } catch (error) {
    const { line, column } = jsonErrorPosition(error, content);
    throw usage(`${name} is not valid JSON (line ${line} column ${column})`);
  }
}

/** A secret of the file, or what is wrong with it. */
function readSecret(value: Json): BackupSecret | string {
  if (!isObject(value)) return 'expected an object with path and data';
  const { path, data, earlier, metadata, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `unknown field ${JSON.stringify(unknown)}`;
  if (typeof path !== 'string' || !isPath(path)) return 'path: expected a path without a slash at its ends';
  if (!isObject(data)) return 'data: expected an object';
  if (earlier !== undefined && !(Array.isArray(earlier) && earlier.every((each) => isObject(each))))
    return 'earlier: expected a list of objects';
  const kept = metadata === undefined ? undefined : readMetadata(metadata);
  if (typeof kept === 'string') return `metadata: ${kept}`;
  return { path, data, ...compact({ earlier: earlier as readonly Pairs[] | undefined, metadata: kept }) };
}

const isPath = (path: string): boolean =>
  path === '' || path.split('/').every((part) => !['', '.', '..'].includes(part));

function readMetadata(value: Json): KeptMetadata | string {
  if (!isObject(value)) return 'expected an object';
  const { max_versions = 0, cas_required = false, delete_version_after = '0s', custom_metadata = {} } = value;
  if (typeof max_versions !== 'number') return 'max_versions: expected a number';
  if (typeof cas_required !== 'boolean') return 'cas_required: expected true or false';
  if (typeof delete_version_after !== 'string') return 'delete_version_after: expected a duration';
  if (!isObject(custom_metadata) || !Object.values(custom_metadata).every((each) => typeof each === 'string'))
    return 'custom_metadata: expected an object of texts';
  const custom = Object.fromEntries(
    Object.entries(custom_metadata).map(([key, each]) => [key, String(each)]),
  );
  return keptMetadata({ max_versions, cas_required, delete_version_after, custom_metadata: custom });
}
