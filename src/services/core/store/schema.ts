import type { Json } from '../../../wire/json.ts';

/** Reports whether a stored value has the type. */
export type Schema<Value> = (value: unknown) => value is Value;

export type TypeOf<Checked> = Checked extends Schema<infer Value> ? Value : never;

/** A field that may be missing. */
type OptionalField<Value> = Schema<Value> & { readonly isOptional: true };

export type Fields = { readonly [name: string]: Schema<unknown> };

type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof F];

export type ObjectOf<F extends Fields> = Flat<
  { readonly [Name in keyof F as Exclude<Name, OptionalNames<F>>]: TypeOf<F[Name]> } & {
    readonly [Name in keyof F as Extract<Name, OptionalNames<F>>]?: TypeOf<F[Name]>;
  }
>;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

export const string: Schema<string> = (value) => typeof value === 'string';
export const number: Schema<number> = (value) => typeof value === 'number';
export const boolean: Schema<boolean> = (value) => typeof value === 'boolean';
/** An integer of up to 64 bits. */
export const integer: Schema<number | bigint> = (value): value is number | bigint =>
  typeof value === 'bigint' || typeof value === 'number';
export const json: Schema<Json> = (value): value is Json => value !== undefined;

/** One of these texts. */
export function oneOf<const Text extends string>(...texts: readonly Text[]): Schema<Text> {
  return (value): value is Text => (texts as readonly unknown[]).includes(value);
}

export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return (value): value is Value | null => value === null || schema(value);
}

/** A field of an object that may be missing. */
export function optional<Value>(schema: Schema<Value>): OptionalField<Value> {
  const check = (value: unknown): value is Value => value === undefined || schema(value);
  return Object.assign(check, { isOptional: true as const });
}

export function either<One, Other>(one: Schema<One>, other: Schema<Other>): Schema<One | Other> {
  return (value): value is One | Other => one(value) || other(value);
}

export function array<Item>(schema: Schema<Item>): Schema<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every((item) => schema(item));
}

export function record<Value>(schema: Schema<Value>): Schema<{ readonly [name: string]: Value }> {
  return (value): value is { readonly [name: string]: Value } =>
    isObject(value) && Object.values(value).every((each) => schema(each));
}

/** An object with these fields; others, such as those of later releases, are not checked. */
export function object<const F extends Fields>(fields: F): Schema<ObjectOf<F>> {
  const entries = Object.entries(fields);
  return (value): value is ObjectOf<F> =>
    isObject(value) && entries.every(([name, schema]) => schema(value[name]));
}

export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
