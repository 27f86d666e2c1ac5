import type { ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { compact, isObject, memberOf } from '../wire/objects.ts';
import { asObject, type JsonObject } from './kind.ts';
import { isSame, normalize, propertyOf, withWireNames } from './normalize.ts';

/** A field that differs. */
export interface FieldChange {
  /** JSON pointer into the document: `/spec/Items/password`. */
  readonly path: string;
  readonly action: 'add' | 'update' | 'remove';
  /** Normal forms; absent where `isSensitive`. */
  readonly before?: Json;
  readonly after?: Json;
  readonly isSensitive: boolean;
  /** The values are seconds. */
  readonly isDuration?: true;
  /** The duration as the file states it, with its unit: `90m`. */
  readonly stated?: string;
}

export interface CompareOptions {
  /** Fields that the file does not state must have their defaults. */
  readonly isExact: boolean;
  /** JSON pointers of fields that an earlier apply of the set stated, and that are removed if the file does not. */
  readonly stated: ReadonlySet<string>;
  /** JSON pointers that are not compared. */
  readonly ignored: ReadonlySet<string>;
  /** Values of secret fields may be shown. */
  readonly showsSecrets: boolean;
  /** JSON pointers of values that came from references: they are secrets whatever their field is. */
  readonly resolved?: ReadonlySet<string>;
  /** Names of maps that the file does not state are kept. */
  readonly mergesKeys?: boolean;
}

/** The fields that a file states and that differ on the service. Both sides in the names of the wire. */
export function compare(
  schema: ObjectSchema,
  desired: JsonObject,
  live: JsonObject | undefined,
  options: CompareOptions,
): FieldChange[] {
  return compareObjects(schema, desired, live ?? {}, '/spec', options);
}

function compareObjects(
  schema: ObjectSchema,
  desired: JsonObject,
  live: JsonObject,
  path: string,
  options: CompareOptions,
): FieldChange[] {
  const sides = { desired: withPropertyNames(schema, desired), live: withPropertyNames(schema, live) };
  const names = new Set([...Object.keys(sides.desired), ...Object.keys(sides.live)]);
  return [...names].flatMap((name) => {
    const pointer = `${path}/${escapePointer(name)}`;
    if (options.ignored.has(pointer)) return [];
    const property = memberOf(schema.properties, name) ?? ({ type: 'any' } as const);
    const isStated =
      Object.hasOwn(sides.desired, name) && !isLeftToService(property, memberOf(sides.desired, name));
    if (property.isWriteOnly || property.isLocal) return [];
    const [wanted, found] = [memberOf(sides.desired, name), memberOf(sides.live, name)];
    if (property.type === 'object' && isStated && isObject(wanted))
      return compareObjects(property, wanted, asObject(found), pointer, options);
    const wasStated = [...options.stated].some((each) => each === pointer || each.startsWith(`${pointer}/`));
    // What cannot be changed stays when the file does not state it any more, and what identifies the object.
    const isKept = !options.isExact && (!wasStated || property.isImmutable);
    if (!isStated && (isKept || property.isExportedIfStated)) return [];
    return compareValues(property, wanted, found, pointer, options);
  });
}

/** Whether a field is stated without a value, and the service assigns one. */
const isLeftToService = (schema: Schema, value: Json | undefined): boolean =>
  schema.isAssigned === true && value !== false && normalize(schema, value) === undefined;

function withPropertyNames(schema: ObjectSchema, value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [propertyOf(schema, name) ?? name, member]),
  );
}

function compareValues(
  schema: Schema,
  desired: Json | undefined,
  live: Json | undefined,
  path: string,
  options: CompareOptions,
): FieldChange[] {
  const [after, before] = [normalize(schema, desired), normalize(schema, live)];
  if (isSame(after, before)) return [];
  // A map by its names: each is a change of its own, so that values of secrets stay apart.
  if (schema.type === 'map') {
    const [wanted, found] = [asObject(after), asObject(before)];
    return [...new Set([...Object.keys(found), ...Object.keys(wanted)])].flatMap((name) => {
      const [before, after] = [memberOf(found, name), memberOf(wanted, name)];
      return isSame(after, before) || (options.mergesKeys && after === undefined)
        ? []
        : [change(schema.values, before, after, `${path}/${escapePointer(name)}`, options)];
    });
  }
  return [change(schema, before, after, path, options, statedDuration(schema, desired, after))];
}

/** A duration with its unit, where `after` is the number of its seconds. */
const statedDuration = (schema: Schema, desired: Json | undefined, after: Json | undefined) =>
  schema.type === 'duration' && typeof after === 'number' && typeof desired === 'string'
    ? /^\s*(.*[a-zµ])\s*$/.exec(desired)?.[1]
    : undefined;

function change(
  schema: Schema,
  before: Json | undefined,
  after: Json | undefined,
  path: string,
  { showsSecrets, resolved }: CompareOptions,
  stated?: string,
): FieldChange {
  const action = before === undefined ? 'add' : after === undefined ? 'remove' : 'update';
  const isResolved = [...(resolved ?? [])].some((each) => each === path || each.startsWith(`${path}/`));
  const isSensitive = isResolved || (holdsSecret(schema) && !showsSecrets);
  if (isSensitive) return { path, action, isSensitive };
  const isDuration = schema.type === 'duration' || undefined;
  return { path, action, ...compact({ before, after }), isSensitive, ...compact({ isDuration, stated }) };
}

/** Whether a value of the schema may contain a secret. */
export function holdsSecret(schema: Schema): boolean {
  if (schema.isSecret) return true;
  if (schema.type === 'list') return holdsSecret(schema.items);
  if (schema.type === 'map') return holdsSecret(schema.values);
  return schema.type === 'object' && Object.values(schema.properties).some(holdsSecret);
}

/** A name as a segment of a JSON pointer (RFC 6901). */
const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The JSON pointer of a value below `/spec`, with the names of the schema where the file spells them differently. */
export function pointerOf(schema: ObjectSchema, steps: readonly (string | number)[]): string {
  let current: Schema | undefined = schema;
  const names = steps.map((step) => {
    const name = String(step);
    if (current?.type === 'object') {
      const property = propertyOf(current, name) ?? name;
      current = memberOf(current.properties, property);
      return property;
    }
    current = current?.type === 'map' ? current.values : current?.type === 'list' ? current.items : undefined;
    return name;
  });
  return ['/spec', ...names.map(escapePointer)].join('/');
}

/** The steps of a JSON pointer below `/spec`. */
export const pointerSteps = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(2)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** `/spec/Items/password` → `Items.password`; a name with other characters is quoted: `Meta["a.b"]`. */
export const fieldName = (pointer: string): string =>
  pointer
    .replace(/^\/(spec\/)?/, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (/^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`))
    .join('')
    .replace(/^\./, '');

/**
 * What a service must store: the stated fields over what it has. Objects are merged, other values replaced.
 *
 * @param mergesKeys maps are merged too.
 */
export function merge(
  schema: ObjectSchema,
  live: JsonObject,
  desired: JsonObject,
  mergesKeys = false,
): JsonObject {
  const merged = new Map(Object.entries(withPropertyNames(schema, live)));
  for (const [name, value] of Object.entries(withPropertyNames(schema, desired))) {
    const property = memberOf(schema.properties, name);
    if (property && isLeftToService(property, value)) continue;
    if (property?.type === 'object' && isObject(value))
      merged.set(name, merge(property, asObject(merged.get(name)), value, mergesKeys));
    else if (property?.type === 'map' && mergesKeys && isObject(value))
      merged.set(name, { ...asObject(merged.get(name)), ...asObject(withWireNames(property, value)) });
    else merged.set(name, property ? withWireNames(property, value) : value);
  }
  return Object.fromEntries(merged);
}

/** The fields without those that the service never returns. */
export function withoutWriteOnly(schema: ObjectSchema, spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]): [string, Json][] => {
      const property = memberOf(schema.properties, propertyOf(schema, name) ?? name);
      if (property?.isWriteOnly) return [];
      if (property?.type !== 'object' || !isObject(value)) return [[name, value]];
      return [[name, withoutWriteOnly(property, value)]];
    }),
  );
}

/** JSON pointers of the fields that a file states; objects by their fields. */
export function statedPointers(schema: ObjectSchema, spec: JsonObject, path = '/spec'): readonly string[] {
  return Object.entries(spec).flatMap(([name, value]) => {
    const property = propertyOf(schema, name) ?? name;
    const pointer = `${path}/${escapePointer(property)}`;
    const inner = memberOf(schema.properties, property);
    return inner?.type === 'object' && isObject(value) ? statedPointers(inner, value, pointer) : [pointer];
  });
}

/** Removes the fields at these JSON pointers (`/spec/…`), so that a service sets their defaults. */
export function without(spec: JsonObject, pointers: readonly string[], path = '/spec'): JsonObject {
  if (pointers.length === 0) return spec;
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]): [string, Json][] => {
      const pointer = `${path}/${escapePointer(name)}`;
      if (pointers.includes(pointer)) return [];
      return [[name, isObject(value) ? without(value, pointers, pointer) : value]];
    }),
  );
}
