import { createHash } from 'node:crypto';
import type { Json } from '../wire/json.ts';
import type { FieldPath } from './export-spec.ts';
import { type Identity, identityText, type Kind } from './kind.ts';

/** A secret field of an object. */
export interface SecretField {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly field: FieldPath;
}

/**
 * Names for secrets, as of environment variables: kind, scope, name and field in upper case. Those that would have
 * the same name get a suffix that depends on what they name, never on a value.
 */
export function secretNames(secrets: readonly SecretField[]): (secret: SecretField) => string {
  const owners = new Map<string, Set<string>>();
  for (const secret of secrets) {
    const name = shortName(secret);
    owners.set(name, (owners.get(name) ?? new Set()).add(idOf(secret)));
  }
  return (secret) => {
    const name = shortName(secret);
    if ((owners.get(name)?.size ?? 0) < 2) return name;
    const suffix = createHash('sha256').update(idOf(secret)).digest('hex').slice(0, 8);
    return `${name}_${suffix.toUpperCase()}`;
  };
}

const idOf = ({ kind, identity, field }: SecretField): string =>
  JSON.stringify([kind.name, identityText(identity), field]);

function shortName({ kind, identity, field }: SecretField): string {
  const scope = kind.scope.flatMap(({ name, default: usual }) => {
    const value = identity.scope[name] ?? '';
    return value === usual ? [] : [value];
  });
  return [kind.name, ...scope, identity.key, ...field]
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toUpperCase();
}

/** A file of JSON that the user makes; directories are read without names that begin with a period. */
const secretsFile = '.secrets.json';

/** The reference that a file has instead of a secret. @param path of the file, relative to the directory. */
export function secretReference(name: string, form: 'env' | 'file', path: string): Json {
  if (form === 'env') return { valueFrom: `env://${name}` };
  const up = '../'.repeat(path.split('/').length - 1);
  return { valueFrom: `file://${up}${secretsFile}#/${name}` };
}
