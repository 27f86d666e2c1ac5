import { field, type ObjectSchema } from '../objects/schema.ts';
import { asObject, type Identity, type JsonObject, type Kind } from './kind.ts';
import type { Position } from './problems.ts';
import { pathBeside, referencePaths } from './references.ts';
import type { SetValues } from './set-values.ts';
import { type Path, validate } from './validate.ts';

/** Where the record of a set is: a key of the registry, a secret, a variable or a file. */
export interface RecordPlace {
  readonly store: 'registry' | 'secrets' | 'scheduler' | 'file';
  readonly path: string;
}

/** Below the place of a record: the parts of one that does not fit into one value. */
export const partsDirectory = '/parts/';

/** Whether a path is one of the parts of a record: `lanyard/sets/ID/parts/...`. */
const isPartOf = (record: string, path: string): boolean => path.startsWith(`${record}${partsDirectory}`);

/** The record of this set or of another one. */
export function isRecord(
  { service }: Kind,
  { scope, key }: Identity,
  record: RecordPlace | undefined,
): boolean {
  const places = [key, [...Object.values(scope), key].join('/')];
  return (
    /(^|\/)lanyard\/sets\/[a-z0-9]{10}(\/parts\/.+)?$/.test(key) ||
    (record?.store === service &&
      places.some((place) => place === record.path || isPartOf(record.path, place)))
  );
}

/** A directory of documents that `spec.bases` names. */
export interface Base {
  /** As the set states it. */
  readonly text: string;
  /** The same relative to the file of the set. */
  readonly path: string;
  readonly position: Position;
}

/** The root of ownership: one document of kind Set per apply. */
export interface StateSet {
  readonly name: string;
  /** Ten random characters, written once; it is in the marks of the objects. */
  readonly id: string;
  /** What identifies each service, so that the set is not applied to another one. */
  readonly targets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Undefined: kinds that cannot carry a mark have no owner, and are never pruned. */
  readonly record: RecordPlace | undefined;
  readonly prune: { readonly max: number; readonly kinds: readonly string[] | undefined };
  /** Patterns of objects that others own (`spec.unmanaged.ignore`). */
  readonly ignore: readonly string[];
  /** Directories with documents that the files of the set are merged over; later ones take precedence. */
  readonly bases: readonly Base[];
  readonly values: SetValues;
  readonly source: Position;
  /** Of `spec.record`. */
  readonly recordSource: Position;
}

const targetsSchema: ObjectSchema = field.object({
  secrets: field.object({
    clusterId: field.string({ description: 'cluster_id of sys/health.' }),
    namespace: field.string({ description: 'Default: the root namespace.' }),
  }),
  registry: field.object({
    clusterId: field.string({ description: 'ID in the trust domain of the service mesh.' }),
    datacenter: field.string(),
    namespace: field.string({ description: 'Default: the namespace "default".' }),
  }),
  scheduler: field.object({ region: field.string() }),
  accounts: field.object({ scope: field.string() }),
});

export const setSchema: ObjectSchema = field.object(
  {
    targets: targetsSchema,
    record: field.string({
      pattern: /^(registry|secrets|scheduler|file):.+$/,
      description:
        'Where the record of the members is: registry:KEY, secrets:MOUNT/PATH, scheduler:NAMESPACE/PATH or file:PATH (relative to this file).',
    }),
    bases: field.list(field.string({ minLength: 1 }), {
      description:
        'Directories with documents, relative to this file. Documents of the set are merged over the ones of the same objects.',
    }),
    values: field.map(field.any({}), {
      description: 'Plain values, which documents use as valueFrom: values://NAME. Never secrets.',
    }),
    prune: field.object({
      max: field.integer({ minimum: 0, default: 10, description: 'How many objects one apply may prune.' }),
      kinds: field.set(field.string(), { description: 'Kinds that may be pruned (default: all).' }),
    }),
    unmanaged: field.object({
      ignore: field.list(field.string(), {
        description:
          'Objects that others own, as KIND or "KIND NAME" with the wildcards * and **: "plan --unmanaged" does not report them, and "export" writes no new files for them.',
      }),
    }),
  },
  {},
);

export const setMetadataSchema: ObjectSchema = field.object(
  {
    name: field.string({ pattern: /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, isQuoted: true }),
    id: field.string({
      pattern: /^[a-z0-9]{10}$/,
      isQuoted: true,
      description: 'Ten random characters; never change it.',
    }),
  },
  { required: ['name', 'id'] },
);

/** Reads a document of kind Set. */
export function parseSet(
  value: JsonObject,
  positionOf: (path: Path) => Position,
  report: (path: Path, message: string) => void,
): StateSet {
  const options = { report, allowsLiterals: true, allowsUnknownFields: false };
  const { metadata, spec } = { metadata: asObject(value.metadata), spec: asObject(value.spec) };
  validate(setMetadataSchema, metadata, ['metadata'], options);
  validate(setSchema, spec, ['spec'], options);
  const values = asObject(spec.values);
  for (const name of Object.keys(values))
    if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name))
      report(['spec', 'values', name], 'invalid name of a value: expected letters, digits, "_", "." and "-"');
  for (const path of referencePaths(values, ['spec', 'values']))
    report(path, 'a value of the set must be stated: references are not resolved here');
  const prune = asObject(spec.prune);
  const { ignore } = asObject(spec.unmanaged);
  const source = positionOf(['kind']);
  return {
    name: String(metadata.name ?? ''),
    id: String(metadata.id ?? ''),
    targets: asObject(spec.targets) as StateSet['targets'],
    record: typeof spec.record === 'string' ? placeOf(spec.record, source.file) : undefined,
    prune: {
      max: typeof prune.max === 'number' ? prune.max : 10,
      kinds: Array.isArray(prune.kinds) ? prune.kinds.map(String) : undefined,
    },
    ignore: Array.isArray(ignore) ? ignore.map(String) : [],
    bases: (Array.isArray(spec.bases) ? spec.bases : []).flatMap((text, index): Base[] =>
      typeof text === 'string' && text !== ''
        ? [{ text, path: pathBeside(source.file, text), position: positionOf(['spec', 'bases', index]) }]
        : [],
    ),
    values: { values, positionOf: (name) => positionOf(['spec', 'values', name]) },
    source,
    recordSource: positionOf(['spec', 'record']),
  };
}

/** @param file of the document: the path of a record in a file is relative to it. */
function placeOf(text: string, file: string): RecordPlace | undefined {
  const [, store, path = ''] = /^(registry|secrets|scheduler|file):(.+)$/s.exec(text) ?? [];
  if (store === 'file') return { store, path: pathBeside(file, path) };
  return store === undefined ? undefined : { store: store as RecordPlace['store'], path };
}
