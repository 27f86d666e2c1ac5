import type { ObjectSchema, Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { memberOf } from '../wire/objects.ts';
import type { JsonObject } from './kind.ts';
import { emptyValue, normalize, secondsOf } from './normalize.ts';

/** What kinds share whose objects have other fields for each `spec.type`. The type itself is never sent. */

/** The fields that objects of a type have. */
const fieldsOf = ({ properties }: ObjectSchema, type: string): readonly (readonly [string, Schema])[] =>
  Object.entries<Schema>(properties).filter(([, { types }]) => types?.includes(type));

/**
 * The fields that a file states and its type does not have, and the required ones that it does not state.
 *
 * @param noun of the object: `roles`.
 * @param required fields by type.
 */
export function typeProblems(
  schema: ObjectSchema,
  spec: JsonObject,
  noun: string,
  required: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const { type } = spec;
  const { enum: types = [] } = schema.properties.type as { readonly enum?: readonly string[] };
  if (typeof type !== 'string' || !types.includes(type)) return [];
  const known = new Set(fieldsOf(schema, type).map(([name]) => name));
  const others = Object.keys(spec).filter(
    (name) => name !== 'type' && Object.hasOwn(schema.properties, name) && !known.has(name),
  );
  const missing = (memberOf(required, type) ?? []).filter((name) => (spec[name] ?? '') === '');
  return [
    ...others.map((name) => `${noun} of type ${type} have no field "${name}"`),
    ...missing.map((name) => `missing field "${name}"`),
  ];
}

/** The fields of a response in the form that a file states: without those that are not set, or not of the type. */
export const liveFields = (schema: ObjectSchema, type: string, data: object): JsonObject =>
  Object.fromEntries(
    fieldsOf(schema, type).flatMap(([name, property]): [string, Json][] => {
      const value = (data as JsonObject)[name];
      const isUnset =
        value === undefined || value === null || (value === '' && 'enum' in property && property.enum);
      return isUnset ? [] : [[name, value]];
    }),
  );

/** Fields of a response that no type has, if they are set: their names are reported, and they are not exported. */
export const unknownFields = (schema: ObjectSchema, data: object, known: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(data as JsonObject).filter(
      ([name, value]) => !Object.hasOwn(schema.properties, name) && !known.includes(name) && !isUnset(value),
    ),
  );

const isUnset = (value: Json): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * What a write sends: the stated fields in their normal form. A field that the object has and the file does not state
 * any more gets its default.
 */
export const bodyOf = (schema: ObjectSchema, type: string, spec: JsonObject, live?: JsonObject): JsonObject =>
  Object.fromEntries(
    fieldsOf(schema, type).flatMap(([name, property]): [string, Json][] => {
      if (live && property.isImmutable) return [];
      const value = normalize(property, spec[name]);
      if (value !== undefined) return [[name, value]];
      const isReset = live !== undefined && normalize(property, live[name]) !== undefined;
      return isReset && !property.isAssigned ? [[name, emptyValue(property)]] : [];
    }),
  );

/** The same fields with other values, where they are stated. */
export const mapFields = (
  spec: JsonObject,
  conversions: Readonly<Record<string, (value: Json) => Json>>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(spec).map(([name, value]) => [
      name,
      value === null ? value : (memberOf(conversions, name)?.(value) ?? value),
    ]),
  );

/** The items of a list that is separated by commas; another value is unchanged. */
export const mapItems =
  (convert: (text: string) => string) =>
  (value: Json): Json => {
    const items = typeof value === 'string' ? value.split(',') : value;
    return Array.isArray(items)
      ? items.map((item) => (typeof item === 'string' ? convert(item.trim()) : item))
      : value;
  };

/** The service reads 0 as its default. */
export const orSeconds =
  (usual: number) =>
  (value: Json): Json =>
    secondsOf('seconds', value) === 0 ? usual : value;

/** A block of one address is that address. */
export const cidrs = mapItems((block) => block.replace(/^([\d.]+)\/32$|^([\da-fA-F:.]+)\/128$/, '$1$2'));
