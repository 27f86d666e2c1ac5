import { createHash } from 'node:crypto';
import { field, type ObjectSchema, type Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { compact, isObject, memberOf } from '../wire/objects.ts';
import { pointerSteps } from './compare.ts';
import { asObject, type JsonObject, type Kind, type Live } from './kind.ts';
import { canonicalText, normalize, propertyOf } from './normalize.ts';

/** What a document of an undo says besides its fields: `metadata.undo`, which `apply --undo` writes. */
export interface Undo {
  /** What the apply did to the object. */
  readonly change: 'create' | 'update' | 'delete';
  /** The object after the apply: its version, or a digest of its fields. */
  readonly version?: string;
  readonly uid?: string;
  readonly digest?: string;
  /** JSON pointers of the fields in the digest; undefined: all. */
  readonly fields?: readonly string[];
  /** The digest includes values of secrets: the file is encrypted. */
  readonly hasSecrets?: boolean;
  /** JSON pointers of fields that get their defaults back. */
  readonly unset: readonly string[];
  /** What the record had: JSON pointers of the stated fields. */
  readonly stated: readonly string[];
  /** Undefined: the object belonged to this set. `none`: to no set; else the ID of another set. */
  readonly owner?: string;
  /** The values are those of this version of the secret, in the service. */
  readonly valuesVersion?: number;
}

/** The schema of `metadata.undo`. */
export const undoSchema: ObjectSchema = field.object(
  {
    change: field.choice(['create', 'update', 'delete'], { description: 'What the apply did.' }),
    version: field.string({ isQuoted: true, description: 'Version of the object after the apply.' }),
    uid: field.string({ isQuoted: true, description: 'ID or time of creation of the object.' }),
    digest: field.string({ isQuoted: true, description: 'SHA-256 of the fields after the apply.' }),
    fields: field.list(field.string(), { description: 'JSON pointers of the fields in the digest.' }),
    hasSecrets: field.boolean({ description: 'The digest includes values of secrets.' }),
    unset: field.list(field.string(), { description: 'JSON pointers of fields to set to the default.' }),
    stated: field.list(field.string(), { description: 'JSON pointers that the record had as stated.' }),
    owner: field.string({ isQuoted: true, description: '"none", or the ID of the set that it belonged to.' }),
    valuesVersion: field.integer({ minimum: 1, description: 'Version of the secret that has the values.' }),
  },
  {
    required: ['change'],
    description: 'Written by "apply --undo": what the object must be, so that no later change is lost.',
  },
);

/** What a document says about its undo; undefined: it is not of an undo. */
export function undoOf({ undo }: JsonObject): Undo | undefined {
  if (!isObject(undo)) return undefined;
  const { change, version, uid, digest, fields, hasSecrets, unset, stated, owner, valuesVersion } = undo;
  const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    change: change as Undo['change'],
    ...compact({
      version: text(version),
      uid: text(uid),
      digest: text(digest),
      fields: Array.isArray(fields) ? texts(fields) : undefined,
      owner: text(owner),
      valuesVersion: typeof valuesVersion === 'number' ? valuesVersion : undefined,
    }),
    hasSecrets: hasSecrets === true,
    unset: texts(unset),
    stated: texts(stated),
  };
}

const text = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

/**
 * Whether an object is what the apply left. One with versions also if all its fields are the same again: a later apply
 * was undone.
 */
export function isAsApplied(kind: Kind, live: Live, undo: Undo): boolean {
  const { change, version, uid, digest } = undo;
  if (change === 'delete') return false;
  const isSameObject = uid === undefined || live.uid === undefined || uid === live.uid;
  if (version !== undefined && version === live.version && isSameObject) return true;
  if (digest === undefined || (version === undefined && !isSameObject)) return false;
  return digest === stateDigest(kind.schema, live.spec, undo);
}

/**
 * A digest of the fields of an object, which recognizes it without a version. Values of secrets are left out, except in a file that
 * is encrypted; the names of their entries are included.
 */
export function stateDigest(
  schema: ObjectSchema,
  spec: JsonObject,
  { fields, hasSecrets = false }: Pick<Undo, 'fields' | 'hasSecrets'>,
): string {
  const form =
    fields === undefined
      ? visibleForm(schema, normalize(schema, spec), hasSecrets)
      : Object.fromEntries(
          fields.map((pointer) => {
            const { schema: inner, value } = fieldAt(schema, spec, pointer);
            return [pointer, visibleForm(inner, normalize(inner, value), hasSecrets)];
          }),
        );
  return createHash('sha256').update(canonicalText(form)).digest('hex');
}

function visibleForm(schema: Schema, normal: Json | undefined, hasSecrets: boolean): Json {
  if (normal === undefined) return null;
  if (schema.isSecret && !hasSecrets) return 'secret';
  if (schema.type === 'list' && Array.isArray(normal))
    return normal.map((item) => visibleForm(schema.items, item, hasSecrets));
  if ((schema.type !== 'map' && schema.type !== 'object') || !isObject(normal)) return normal;
  const members = Object.entries(normal).flatMap(([name, value]): [string, Json][] => {
    const inner = schema.type === 'map' ? schema.values : memberOf(schema.properties, name);
    if (inner?.isWriteOnly || inner?.isLocal) return [];
    return [[name, inner ? visibleForm(inner, value, hasSecrets) : value]];
  });
  return members.length === 0 ? null : Object.fromEntries(members);
}

/** A field of an object. */
interface Field {
  /** JSON pointer; of the field itself where a pointer leads into its value. */
  readonly pointer: string;
  readonly names: readonly string[];
  readonly schema: Schema;
  readonly value: Json | undefined;
}

/** The field that a JSON pointer is in, with its value: the fields of objects are fields, entries of maps are not. */
export function fieldAt(schema: ObjectSchema, spec: JsonObject, pointer: string): Field {
  const [, , ...segments] = pointer.split('/');
  const steps = pointerSteps(pointer);
  let inner: Schema = schema;
  let value: Json | undefined = spec;
  let depth = 0;
  for (; inner.type === 'object' && depth < steps.length; depth += 1) {
    const current: ObjectSchema = inner;
    const name = propertyOf(current, steps[depth] ?? '') ?? steps[depth] ?? '';
    const entries: [string, Json][] = Object.entries(asObject(value));
    value = entries.find(([each]) => (propertyOf(current, each) ?? each) === name)?.[1];
    inner = memberOf(current.properties, name) ?? { type: 'any' };
  }
  return {
    pointer: ['/spec', ...segments.slice(0, depth)].join('/'),
    names: steps.slice(0, depth),
    schema: inner,
    value,
  };
}
