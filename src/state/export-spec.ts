import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import { holdsSecret } from './compare.ts';
import { asObject, type JsonObject } from './kind.ts';
import { normalize, propertyOf, uniqueSorted } from './normalize.ts';
import { referenceIn } from './references.ts';

/** Names of fields and entries, from the outside in. */
export type FieldPath = readonly string[];

export interface ExportSpecOptions {
  /** What a file that was exported before states: its references stay. */
  readonly existing: JsonObject | undefined;
  /** Write-only fields that have a value. */
  readonly hasValues?: readonly string[];
  /** The value of a secret in the file; undefined: it is left out. */
  readonly secretValue: (path: FieldPath, live: Json) => Json | undefined;
  /** Values are not secret: those in the file are replaced, except references. */
  readonly showsValues?: boolean;
}

/** What a file states of an object. */
export interface ExportedSpec {
  readonly spec: JsonObject;
  /** Secrets that the object has and the file does not. */
  readonly withheld: readonly FieldPath[];
  /** Fields that no schema has: the service is newer. They are left out, because they may be secrets. */
  readonly unknown: readonly FieldPath[];
}

/**
 * The fields of an object for a file: those that differ from their defaults and those that are required, in the order
 * of the schema, and sets sorted.
 */
export function exportSpec(schema: ObjectSchema, live: JsonObject, options: ExportSpecOptions): ExportedSpec {
  const withheld: FieldPath[] = [];
  const unknown: FieldPath[] = [];
  const spec = exportObject(schema, live, options.existing, { ...options, withheld, unknown, path: [] });
  return { spec: spec ?? {}, withheld, unknown };
}

interface Exporting extends ExportSpecOptions {
  readonly withheld: FieldPath[];
  readonly unknown: FieldPath[];
  readonly path: FieldPath;
}

const below = (exporting: Exporting, name: string): Exporting => ({
  ...exporting,
  path: [...exporting.path, name],
});

/** Whether the service says that the write-only field has a value. */
const hasValue = ({ hasValues = [], path }: Exporting): boolean => hasValues.includes(path.join('.'));

/** @param existing what a file states for the same field */
function exportValue(
  schema: Schema,
  live: Json,
  existing: Json | undefined,
  exporting: Exporting,
): Json | undefined {
  // The service does not return it, so only a file can state it, or a reference to a value from elsewhere.
  if (schema.isWriteOnly || schema.isLocal) {
    if (isStated(existing)) return existing;
    const isReference = schema.isSecret && hasValue(exporting);
    return isReference ? exporting.secretValue(exporting.path, live) : undefined;
  }
  if (schema.isExportedIfStated && !isStated(existing)) return undefined;
  if (schema.isSecret) {
    const isKept = isStated(existing) && (!exporting.showsValues || referenceIn(existing) !== undefined);
    const value = isKept ? existing : exporting.secretValue(exporting.path, live);
    if (value === undefined) exporting.withheld.push(exporting.path);
    return value;
  }
  if (schema.type === 'string' && schema.form === 'lines' && typeof live === 'string') return trimLines(live);
  if (schema.type === 'list' && Array.isArray(live)) return exportList(schema, live, existing, exporting);
  if (schema.type === 'map' && isObject(live)) return exportMap(schema, live, existing, exporting);
  if (schema.type === 'object' && isObject(live)) return exportObject(schema, live, existing, exporting);
  return live;
}

const isStated = (value: Json | undefined): value is Json => value !== undefined && value !== null;

/** White space at the ends of lines does not matter in such a text, and would prevent a block in YAML. */
const trimLines = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n+$/, '\n');

function exportList(
  { items, isSet }: ListSchema,
  live: readonly Json[],
  existing: Json | undefined,
  exporting: Exporting,
): Json | undefined {
  const sorted = isSet ? uniqueSorted(live, (item) => normalize(items, item) ?? null) : live;
  // References in a list belong to its elements in their order, so they stay together or not at all.
  const stated =
    holdsSecret(items) && Array.isArray(existing) && existing.length === sorted.length ? existing : [];
  const values = sorted.map((item, index) =>
    exportElement(items, item, stated[index], below(exporting, String(index))),
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** An element of a list or a map counts also if all its fields have their defaults; undefined: a secret. */
function exportElement(
  schema: Schema,
  live: Json,
  existing: Json | undefined,
  exporting: Exporting,
): Json | undefined {
  const value = exportValue(schema, live, existing, exporting);
  const isEmpty = value === undefined && isObject(live) && !holdsSecret(schema);
  return isEmpty && (schema.type === 'object' || schema.type === 'map') ? {} : value;
}

function exportMap(
  { values }: MapSchema,
  live: JsonObject,
  existing: Json | undefined,
  exporting: Exporting,
): Json | undefined {
  const stated = asObject(existing);
  const members = Object.keys(live)
    .sort()
    .flatMap((name): [string, Json][] => {
      const value = exportElement(values, live[name] ?? null, memberOf(stated, name), below(exporting, name));
      return value === undefined ? [] : [[name, value]];
    });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function exportObject(
  schema: ObjectSchema,
  live: JsonObject,
  existing: Json | undefined,
  exporting: Exporting,
): JsonObject | undefined {
  const { properties, required = [], isOpen } = schema;
  const [found, stated] = [byProperty(schema, live), byProperty(schema, existing)];
  const members = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const isUnreturned = property.isWriteOnly || property.isLocal;
    const isKnown = isStated(stated.get(name)) || hasValue(below(exporting, name));
    const value = found.get(name) ?? (isUnreturned && isKnown ? null : undefined);
    if (value === undefined) return [];
    const isDefault = normalize(property, value) === undefined && !isUnreturned;
    if (isDefault) return required.includes(name) && value !== null ? [[name, value]] : [];
    const exported = exportValue(property, value, stated.get(name), below(exporting, name));
    return exported === undefined ? [] : [[name, exported]];
  });
  const others = [...found].filter(([name]) => !Object.hasOwn(properties, name)).sort();
  for (const [name, value] of others) {
    if (!isStated(value)) continue;
    if (isOpen) members.push([name, value]);
    else exporting.unknown.push([...exporting.path, name]);
  }
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The members of an object by the names of the schema. */
const byProperty = (schema: ObjectSchema, value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(asObject(value)).map(([name, member]) => [propertyOf(schema, name) ?? name, member]),
  );
