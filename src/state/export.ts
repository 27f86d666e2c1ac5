import type { Context } from '../command/context.ts';
import { LanyardError } from '../errors.ts';
import type { Progress } from '../io/io.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import type { Json } from '../wire/json.ts';
import { apiVersion, identityOf, type StateDocument } from './documents.ts';
import { commentsOf, joined } from './export-comments.ts';
import { exportSpec, type FieldPath } from './export-spec.ts';
import { pathOf } from './file-names.ts';
import {
  asObject,
  type Identity,
  identityText,
  type JsonObject,
  type Kind,
  type Live,
  labelOf,
  omittedTexts,
  readerOf,
  type Services,
} from './kind.ts';
import { splitMark } from './marks.ts';
import { objectId } from './order.ts';
import { counter } from './progress.ts';
import { type SecretField, secretNames, secretReference } from './secret-names.ts';
import { isRecord, type RecordPlace } from './set.ts';
import { type IgnorePattern, isIgnored } from './unmanaged-filter.ts';

/** How secrets are in the files: not at all, or as references to the environment or a file. */
export type SecretsPolicy = 'unmanaged' | 'env' | 'file';

export interface ExportOptions {
  readonly kinds: readonly Kind[];
  readonly secrets: SecretsPolicy;
  /** Kinds that may export their values do, unless a document says that they are sensitive. */
  readonly values?: boolean;
  /** Kinds and objects that the token, or its absence, does not permit to read are left out. */
  readonly skipsForbidden: boolean;
  /** The documents that exist: their metadata and references stay. */
  readonly existing: readonly StateDocument[];
  /** Only these objects; undefined: all. */
  readonly isChosen?: (identity: Identity) => boolean;
  /** The record of the set, which is no object of the set. */
  readonly record: RecordPlace | undefined;
  /** Objects that others own: they are left out, unless a document states them. */
  readonly ignore?: readonly IgnorePattern[];
}

/** The fields of a document; fields of its kind have a schema of their own (`validate --schema KIND`). */
interface ExportedDocument {
  /** `lanyard/v1`. */
  readonly apiVersion: string;
  /** SERVICE.KIND, such as registry.policy. */
  readonly kind: string;
  /** The name of the object, and what it is unique in, such as a namespace or a mount. */
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
}

/** An object as a document. */
export interface ExportedObject {
  readonly kind: Kind;
  readonly identity: Identity;
  /** Relative to the directory, with `/`. */
  readonly path: string;
  readonly document: ExportedDocument;
  /** Lines without "#". */
  readonly comments: readonly string[];
  /** The ID of the set that it belongs to. */
  readonly setId: string | undefined;
  /** Secrets that a document with values does not state. */
  readonly unstated: readonly FieldPath[];
}

/** Something that is not in the files. */
export interface Skipped {
  readonly kind: string;
  /** Undefined: all objects of the kind. */
  readonly name?: string;
  readonly reason: string;
}

export interface Exported {
  /** In the order of the kinds, then of the paths. */
  readonly objects: readonly ExportedObject[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
  /** The names in generated references, sorted. */
  readonly references: readonly string[];
  /** How many objects `ignore` left out. */
  readonly ignored: number;
}

/**
 * Reads all objects of kinds, as documents without secret values.
 *
 * @throws LanyardError of a list or a read; forbidden too, unless it is skipped.
 */
export async function exportObjects(
  services: Services,
  options: ExportOptions,
  { progress }: Pick<Context['output'], 'progress'>,
): Promise<Exported> {
  const skipped: Skipped[] = [];
  const warnings: string[] = [];
  const read: ReadObject[] = [];
  let ignored = 0;
  const line = await progress('reading objects');
  try {
    for (const kind of options.kinds) {
      const { found, ...left } = await readKind(services, kind, options, { skipped, line });
      ignored += left.ignored;
      const stated = found.filter(({ live }) => kind.omitted?.(live.spec) === undefined);
      warnings.push(
        ...omittedTexts(
          kind,
          found.map(({ live }) => live.spec),
        ),
      );
      read.push(...stated);
    }
  } finally {
    line.stop();
  }
  const converted = convert(read, options, skipped);
  return { ...converted, warnings: [...warnings, ...converted.warnings], skipped, ignored };
}

function convert(read: readonly ReadObject[], options: ExportOptions, skipped: Skipped[]) {
  const { secrets: policy, values = false, existing } = options;
  const existingById = new Map(existing.map((each) => [objectId(each.kind, each.identity), each]));
  const secrets: SecretField[] = [];
  const convertAll = (secretValue: SecretValue) =>
    read.map((object) => {
      const found = existingById.get(objectId(object.kind, object.identity));
      return exportObject(object, { policy, values, existing: found, secretValue });
    });
  // The names of references depend on all secrets.
  if (policy !== 'unmanaged')
    convertAll((secret) => {
      secrets.push(secret);
      return null;
    });
  const nameOf = secretNames(secrets);
  const converted = convertAll((secret, path) =>
    policy === 'unmanaged' ? undefined : secretReference(nameOf(secret), policy, path),
  );
  const warnings: string[] = [];
  const unknown = new Map<string, Set<string>>();
  const objects = converted.flatMap(({ object, ...found }): ExportedObject[] => {
    const { kind, identity, document, unstated } = object;
    const fields = unknown.get(kind.name) ?? new Set();
    for (const path of found.unknown) unknown.set(kind.name, fields.add(path.join('.')));
    if (unstated.length > 0)
      warnings.push(
        `${kind.name} ${labelOf(kind, identity)} has values that its file does not state: ${joined(unstated)}`,
      );
    const stated = identityOf(kind, asObject(document.metadata), asObject(document.spec));
    if (identityText(stated) === identityText(identity)) return [object];
    const reason = 'its name cannot be stated in a file';
    skipped.push({ kind: kind.name, name: labelOf(kind, identity), reason });
    return [];
  });
  for (const [kind, fields] of unknown)
    warnings.push(`${kind}: unknown fields are not exported: ${[...fields].sort().join(', ')}`);
  return { objects, warnings, references: [...new Set(secrets.map(nameOf))].sort() };
}

interface ReadObject {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly live: Live;
}

async function readKind(
  services: Services,
  kind: Kind,
  { skipsForbidden, record, existing, isChosen, ignore = [] }: ExportOptions,
  { skipped, line }: { readonly skipped: Skipped[]; readonly line: Progress },
): Promise<{ readonly found: readonly ReadObject[]; readonly ignored: number }> {
  const doing = `reading objects: ${kind.name}`;
  line.update(doing);
  const unlessForbidden = async <Value>(work: Promise<Value>, identity?: Identity) => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof LanyardError) || !forbiddenKinds.has(error.kind)) throw error;
      if (!skipsForbidden)
        throw error.withDetails([
          ...error.details,
          `${kind.name} was not exported; use --skip-forbidden to leave it out`,
        ]);
      const name = identity && labelOf(kind, identity);
      skipped.push({ kind: kind.name, ...(name === undefined ? {} : { name }), reason: error.message });
      return undefined;
    }
  };
  const known = existing.flatMap((document) => (document.kind.name === kind.name ? [document.identity] : []));
  const listed = (await unlessForbidden(kind.list(services, known))) ?? [];
  const stated = new Set(known.map(identityText));
  const wanted = listed.filter(
    (identity) =>
      (isChosen?.(identity) ?? true) && !kind.isBuiltIn?.(identity) && !isRecord(kind, identity, record),
  );
  const chosen = wanted.filter(
    (identity) => stated.has(identityText(identity)) || !isIgnored(ignore, kind, identity),
  );
  const byPath = new Map(chosen.map((identity) => [pathOf(kind, identity), identity]));
  const sorted = [...byPath].sort(([one], [other]) => (one < other ? -1 : 1));
  const readObject = readerOf(services);
  const count = counter(line, doing, sorted.length);
  const read = await mapConcurrently(sorted, async ([, identity]) => {
    const live = await unlessForbidden(readObject(kind, identity), identity);
    count();
    return { identity, live };
  });
  const found = read.flatMap(({ identity, live }) =>
    // An object may have been deleted since it was listed.
    live === undefined || kind.isBuiltIn?.(identity, live) ? [] : [{ kind, identity, live }],
  );
  return { found, ignored: wanted.length - chosen.length };
}

/** Without a token, a service may reject it as unknown or as without permission. */
const forbiddenKinds: ReadonlySet<string> = new Set(['forbidden', 'unauthenticated']);

/** The value of a secret in the file at `path`; undefined: none. */
type SecretValue = (secret: SecretField, path: string) => Json | undefined;

interface ObjectOptions {
  readonly policy: SecretsPolicy;
  readonly values: boolean;
  readonly existing: StateDocument | undefined;
  readonly secretValue: SecretValue;
}

function exportObject({ kind, identity, live }: ReadObject, options: ObjectOptions) {
  const { policy, values, existing, secretValue } = options;
  const { schema, holdsSecrets = false, mayExportValues = false } = kind;
  const path = pathOf(kind, identity);
  const showsValues = values && mayExportValues && existing?.metadata.sensitive !== true;
  const isSensitive = existing?.metadata.sensitive !== false && !showsValues;
  const { spec: unmarked, mark } = splitMark(kind, live.spec);
  const { spec, withheld, unknown } = exportSpec(schema, unmarked, {
    existing: existing?.spec,
    showsValues: !isSensitive,
    ...(live.hasValues && { hasValues: live.hasValues }),
    secretValue: (field, value) => (isSensitive ? secretValue({ kind, identity, field }, path) : value),
  });
  const wasManaged = existing !== undefined && existing.metadata.values !== 'unmanaged';
  const isIncomplete = (schema.required ?? []).some((name) => !Object.hasOwn(spec, name));
  const isUnmanaged = withheld.length > 0 && (holdsSecrets || isIncomplete) && !wasManaged;
  const metadata: JsonObject = {
    ...identityMetadata(kind, { ...identity, key: live.name ?? identity.key }),
    ...keptMetadata(kind, existing, showsValues ? 'file' : policy),
    ...(showsValues && typeof spec.value === 'string' ? { sensitive: false } : {}),
    ...(isUnmanaged ? { values: 'unmanaged' } : {}),
  };
  const document: ExportedDocument = {
    apiVersion,
    kind: kind.name,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
  const comments = [
    ...(kind.exportNotes?.(spec) ?? []),
    ...commentsOf(schema, live.spec, { spec, withheld }),
  ];
  const unstated = holdsSecrets && wasManaged ? withheld : [];
  const object: ExportedObject = { kind, identity, path, document, comments, setId: mark?.id, unstated };
  return { object, unknown };
}

const identityMetadata = (kind: Kind, { scope, key }: Identity): JsonObject => ({
  ...Object.fromEntries(
    kind.scope.flatMap(({ name, default: usual }): [string, Json][] => {
      const value = scope[name] ?? '';
      return value === usual ? [] : [[name, value]];
    }),
  ),
  ...(kind.nameIs === undefined || kind.keyOf ? {} : { name: key }),
});

/** What a user added to `metadata`. */
function keptMetadata(kind: Kind, existing: StateDocument | undefined, policy: SecretsPolicy): JsonObject {
  const others = [
    'name',
    ...kind.scope.map(({ name }) => name),
    ...(policy === 'unmanaged' ? [] : ['values']),
  ];
  return Object.fromEntries(
    Object.entries(existing?.metadata ?? {}).filter(([name]) => !others.includes(name)),
  );
}
