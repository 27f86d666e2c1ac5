import type { Json } from '../../../wire/json.ts';

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: Json };

declare const valueType: unique symbol;

/** The type of a value, stated once for stored rows, requests, responses and OpenAPI. */
export interface Type<Value = unknown> {
  readonly [valueType]?: { readonly of: Value };
  readonly kind: keyof Kinds | 'list' | 'map' | 'object' | 'either';
  readonly description?: string;
  /** The value of a field that a request leaves out; absent: null, or the zero value of its kind. */
  readonly default?: Json;
  readonly isOptional?: true;
  readonly isNullable?: true;
  /** A request must have it. */
  readonly isRequired?: true;
  /** What is reported of a required field that a request leaves out, or of a field that only the service sets. */
  readonly problem?: string;
  /** `request`: never stored, nor in a response. `response`: set by the service. Absent: in all of them. */
  readonly only?: 'request' | 'response';
  /** Left out of responses while it is null or its zero value. */
  readonly omitsEmpty?: true;
  /** An empty value of a request counts as missing. */
  readonly dropsEmpty?: true;
  /** Further keywords of its JSON Schema, such as `enum`, `pattern` and `minimum`. */
  readonly keywords?: JsonSchema;
  /** Reads a value, instead of the rules of the service; undefined: of another type. @throws Error: what was expected */
  readonly convert?: (value: Json) => unknown;
  /** What a request may have, where `convert` reads more than the kind. */
  readonly accepts?: JsonSchema;
}

interface Kinds {
  readonly string: string;
  readonly boolean: boolean;
  /** Up to 2^53. */
  readonly integer: number;
  /** Up to 64 bits. */
  readonly int64: number | bigint;
  readonly number: number;
  /** Seconds. */
  readonly duration: number;
  readonly time: string;
  readonly json: Json;
}

export type Fields = { readonly [name: string]: Type };

export interface ListType<Item extends Type = Type> extends Type {
  readonly kind: 'list';
  readonly items: Item;
}

/** An object whose fields have any names. */
export interface MapType<Value extends Type = Type> extends Type {
  readonly kind: 'map';
  readonly values: Value;
}

export interface ObjectType<F extends Fields = Fields> extends Type {
  readonly kind: 'object';
  readonly fields: F;
  /** Its name in the OpenAPI document. */
  readonly name?: string;
  /** Fields that are not listed are accepted, stored and returned. */
  readonly isOpen?: true;
  /** Its fields in another form, which the service accepts too. */
  readonly alternative?: ObjectType;
}

export interface EitherType<Option extends Type = Type> extends Type {
  readonly kind: 'either';
  readonly options: readonly Option[];
}

type Access = 'request' | 'response';
type Flat<T> = { [Name in keyof T]: T[Name] };
type NamesWith<F, Flag> = { [Name in keyof F]: F[Name] extends Flag ? Name : never }[keyof F];

type ObjectOf<F extends Fields, Left extends Access> = Flat<
  {
    readonly [Name in Exclude<keyof F, NamesWith<F, { isOptional: true } | { only: Left }>>]: ValueOf<
      F[Name],
      Left
    >;
  } & {
    readonly [Name in Exclude<NamesWith<F, { isOptional: true }>, NamesWith<F, { only: Left }>>]?: ValueOf<
      F[Name],
      Left
    >;
  }
>;

type ValueOf<T, Left extends Access> = T extends { readonly isNullable: true }
  ? PresentValueOf<T, Left> | null
  : PresentValueOf<T, Left>;

type PresentValueOf<T, Left extends Access> = T extends { readonly fields: infer F extends Fields }
  ? ObjectOf<F, Left>
  : T extends { readonly items: infer Item extends Type }
    ? readonly ValueOf<Item, Left>[]
    : T extends { readonly values: infer Value extends Type }
      ? { readonly [name: string]: ValueOf<Value, Left> }
      : T extends { readonly options: readonly (infer Option)[] }
        ? ValueOf<Option, Left>
        : T extends { readonly [valueType]?: { readonly of: infer Value } }
          ? Value
          : never;

export type Stored<T> = ValueOf<T, Access>;
export type Input<T> = ValueOf<T, 'response'>;
export type Output<T> = ValueOf<T, 'request'>;
export type StoredFields<F extends Fields> = ObjectOf<F, Access>;

/** A default, and keywords of JSON Schema. */
type More = { readonly [keyword: string]: Json };

const scalar =
  <Kind extends keyof Kinds>(kind: Kind) =>
  (
    description?: string,
    { default: missing, ...keywords }: More = {},
  ): Type<Kinds[Kind]> & { readonly kind: Kind } => ({
    kind,
    ...(description !== undefined && { description }),
    ...(missing !== undefined && { default: missing }),
    ...(Object.keys(keywords).length > 0 && { keywords }),
  });

export const string = scalar('string');
export const boolean = scalar('boolean');
export const integer = scalar('integer');
export const int64 = scalar('int64');
export const number = scalar('number');
export const duration = scalar('duration');
export const time = scalar('time');
export const json = scalar('json');

/** An object with any fields. */
export const anyObject = (description?: string) => map(nullable(json()), description);

/** One of these texts. */
export const oneOf = <const Text extends string>(
  values: readonly Text[],
  description?: string,
  more: More = {},
) => string(description, { ...more, enum: [...values] }) as Type<Text> & { readonly kind: 'string' };

export const list = <Item extends Type>(items: Item, description?: string): ListType<Item> => ({
  kind: 'list',
  items,
  ...(description !== undefined && { description }),
});

export const map = <Value extends Type>(values: Value, description?: string): MapType<Value> => ({
  kind: 'map',
  values,
  ...(description !== undefined && { description }),
});

export const object = <const F extends Fields>(fields: F, description?: string): ObjectType<F> => ({
  kind: 'object',
  fields,
  ...(description !== undefined && { description }),
});

export const either = <const Options extends readonly Type[]>(
  ...options: Options
): EitherType<Options[number]> => ({
  kind: 'either',
  options,
});

/** Names an object in the OpenAPI document; in requests, `Input` is added to the name. */
export const named = <T extends ObjectType>(name: string, type: T): T => ({ ...type, name });
export const open = <T extends ObjectType>(type: T): T => ({ ...type, isOpen: true });
export const described = <T extends Type>(description: string, type: T): T => ({ ...type, description });

const flagged =
  <const Flags extends Partial<Type>>(flags: Flags) =>
  <T extends Type>(type: T): T & Flags => ({ ...type, ...flags });

export const optional = flagged({ isOptional: true });
/** May be missing, and is where a request has an empty text, list or map, false or 0. */
export const nonEmpty = flagged({ isOptional: true, dropsEmpty: true });
export const nullable = flagged({ isNullable: true });
/** A request must have it. */
export const required = <T extends Type>(type: T, problem?: string): T => ({
  ...type,
  isRequired: true,
  ...(problem !== undefined && { problem }),
});
/** Never stored, nor in a response. */
export const requestOnly = flagged({ only: 'request' });
/** Set by the service: in a request it is known, and has no effect, or a problem. */
export const responseOnly = <T extends Type>(
  type: T,
  problem?: string,
): T & { readonly only: 'response' } => ({
  ...type,
  only: 'response',
  ...(problem !== undefined && { problem }),
});
/** Left out of responses while it is null or its zero value. */
export const omitEmpty = flagged({ omitsEmpty: true });

/**
 * Read by a function, which returns undefined for a value of another type, or throws what was expected; a FieldError or
 * HttpError keeps its complete message.
 * @param accepts what a request may have, if more than the type
 */
export const converted = <Value>(
  type: Type,
  convert: (value: Json) => Value | undefined,
  accepts?: JsonSchema,
) => ({ ...type, convert, ...(accepts && { accepts }) }) as Type<Value>;

export const each = <const Name extends string, T extends Type>(names: readonly Name[], type: T) =>
  Object.fromEntries(names.map((name) => [name, type])) as { readonly [Each in Name]: T };

/** An object that was read from a request, without the fields that are not stored. */
export const storedOf = <T extends ObjectType>({ fields }: T, input: Input<T>): Stored<T> =>
  Object.fromEntries(
    Object.entries(input as object).filter(([name]) => fields[name]?.only !== 'request'),
  ) as Stored<T>;

/** The types within a type: an item, value, field or option. */
export const isList = (type: Type): type is ListType => type.kind === 'list';
export const isMap = (type: Type): type is MapType => type.kind === 'map';
export const isObjectType = (type: Type): type is ObjectType => type.kind === 'object';
export const isEither = (type: Type): type is EitherType => type.kind === 'either';

export const partial = <const F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { isRequired: _required, ...type }]) => [
      name,
      { ...type, isOptional: true },
    ]),
  ) as { readonly [Name in keyof F]: F[Name] & { readonly isOptional: true } };

/** Whether a value is null or the zero value of its kind. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === 0 || value === false;
}
