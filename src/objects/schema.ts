import type { Completes } from '../command/completes.ts';
import type { Json } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';

/** The flag of a field, as far as it does not follow from the name, the type and the description of the field. */
export interface FieldFlag {
  /** In kebab-case; default: the name of the field. */
  readonly name?: string;
  readonly aliases?: readonly string[];
  /** The value in the help: `K=V`, `TEMPLATE`. */
  readonly value?: string;
  /** Default: the description, without its final period. */
  readonly help?: string;
  readonly completes?: Completes;
  /** The only values that the flag has, where the field has more. */
  readonly choices?: readonly string[];
  /** The value may be `@FILE`, the text in the file, or `-`, the text on standard input. */
  readonly isFile?: true;
  /** What messages call a value that is read from a file or source. */
  readonly what?: string;
  /** An empty value is an error. */
  readonly isNeverEmpty?: true;
  /** A list whose flag is repeated for each item, which may contain commas. */
  readonly isRepeated?: true;
  /** `--unset` does not reset the field. */
  readonly isKept?: true;
  /** An item of a list, by its text; undefined: it does not have the expected form. */
  readonly parse?: (text: string) => Json | undefined;
  /** The form of an item, for messages; default: `value`. */
  readonly expected?: string;
}

/** What applies to a field of any type. */
interface Common {
  /** One sentence, for help, editors and messages. */
  readonly description?: string;
  /** `false`: the field has none. An object with a flag is a map; without one, its fields have flags. */
  readonly flag?: FieldFlag | false;
  /** The types of the object that have the field; absent: the first type, or all. */
  readonly types?: readonly string[];
  /** The only product that has the field: others ignore it. */
  readonly product?: string;
  /** The value that the service has if none is given; absent: the zero value (false, 0, "", an empty list or map). */
  readonly default?: Json;
  /** Its value is never shown, compared values neither: `(secret changed)`. */
  readonly isSecret?: true;
  /** The service never returns it: it is sent when the object is created, and again when `spec.rotate` grows. */
  readonly isWriteOnly?: true;
  /** The service assigns a value where none is given: stated as null or empty, it is not compared. */
  readonly isAssigned?: true;
  /** It identifies the object in its cluster: an export has it only where the file states it already. */
  readonly isExportedIfStated?: true;
  /** A file of this machine, which is sent and not stored: it is not compared. */
  readonly isLocal?: true;
  /** It cannot be changed: an object with another value is replaced, or the plan fails where that would destroy data. */
  readonly isImmutable?: true;
}

export interface StringSchema extends Common {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly pattern?: RegExp;
  readonly minLength?: number;
  /** A number is not accepted: 1.10 and 1e3 would be other texts. */
  readonly isQuoted?: true;
  readonly maxLength?: number;
  /**
   * `grant`: grants of roles that permit the same are the same.
   * `lines`: a text whose trailing white space, also of each line, does not matter (policies, rules).
   * `name`: upper and lower case are the same.
   * `time`: in RFC 3339 format; the same time in another zone is the same value.
   * `trimmed`: white space at both ends does not matter.
   */
  readonly form?: 'grant' | 'lines' | 'name' | 'time' | 'trimmed';
}

/** A length of time, as text or as a number. */
export interface DurationSchema extends Common {
  readonly type: 'duration';
  /** What a number means, and what is sent: seconds, a Go duration (`1m30s`), or nanoseconds. */
  readonly unit: 'seconds' | 'text' | 'nanoseconds';
}

export interface NumberSchema extends Common {
  readonly type: 'integer' | 'number';
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BooleanSchema extends Common {
  readonly type: 'boolean';
}

/** Any JSON value, compared unchanged. */
export interface AnySchema extends Common {
  readonly type: 'any';
}

export interface ListSchema extends Common {
  readonly type: 'list';
  readonly items: Schema;
  /** The order does not matter, and duplicates neither. */
  readonly isSet?: true;
  /** Services take and return such a list as one text, separated by commas; it, and a single number, are accepted too. */
  readonly isCommaSeparated?: true;
  /** It is sent as such a text. */
  readonly isSentAsText?: true;
}

/** Names that the user chooses. All names are compared: a name that is missing from the file is removed. */
export interface MapSchema extends Common {
  readonly type: 'map';
  readonly values: Schema;
  readonly maxProperties?: number;
}

/** Known fields. Only those that a file states are compared and changed. */
export interface ObjectSchema extends Common {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Fields that are not listed are accepted and kept. */
  readonly isOpen?: true;
  /** `service_name` and `ServiceName` are the same field. */
  readonly foldsNames?: true;
}

/** The fields of a kind, as data: from it come validation, JSON Schema, comparison and the masking of secrets. */
export type Schema =
  | StringSchema
  | DurationSchema
  | NumberSchema
  | BooleanSchema
  | AnySchema
  | ListSchema
  | MapSchema
  | ObjectSchema;

type Options<Kind extends Schema> = Omit<Kind, 'type'>;
type ListOptions = Omit<Options<ListSchema>, 'items'>;
type Properties = ObjectSchema['properties'];

const string = (options: Options<StringSchema> = {}): StringSchema => ({ type: 'string', ...options });

const list = <Items extends Schema, const Given extends ListOptions>(items: Items, options?: Given) => ({
  type: 'list' as const,
  items,
  ...(options as Given),
});

/** Builders of schemas. */
export const field = {
  string,
  /** A text whose trailing white space does not matter. */
  lines: (options: Options<StringSchema> = {}) => string({ form: 'lines', ...options }),
  /** A text that is a secret. */
  secret: (options: Options<StringSchema> = {}) => string({ isSecret: true, ...options }),
  choice: <const Values extends readonly string[]>(values: Values, options: Options<StringSchema> = {}) => ({
    type: 'string' as const,
    enum: values,
    ...options,
  }),
  duration: <const Unit extends DurationSchema['unit']>(
    unit: Unit,
    options: Omit<Options<DurationSchema>, 'unit'> = {},
  ) => ({ type: 'duration' as const, unit, ...options }),
  integer: (options: Options<NumberSchema> = {}): NumberSchema => ({ type: 'integer', ...options }),
  number: (options: Options<NumberSchema> = {}): NumberSchema => ({ type: 'number', ...options }),
  boolean: (options: Options<BooleanSchema> = {}): BooleanSchema => ({ type: 'boolean', ...options }),
  any: (options: Options<AnySchema> = {}): AnySchema => ({ type: 'any', ...options }),
  list,
  /** A list whose order does not matter. */
  set: <Items extends Schema = StringSchema, const Given extends Omit<ListOptions, 'isSet'> = object>(
    items: Items = string() as Items,
    options?: Given,
  ) => list(items, { isSet: true, ...(options as Given) }),
  map: <Values extends Schema = StringSchema>(
    values: Values = string() as Values,
    options: Omit<Options<MapSchema>, 'values'> = {},
  ) => ({ type: 'map' as const, values, ...options }),
  object: <Fields extends Properties, const Given extends Omit<Options<ObjectSchema>, 'properties'> = object>(
    properties: Fields,
    options?: Given,
  ) => ({ type: 'object' as const, properties, ...(options as Given) }),
} as const;

/** The type of a value in requests. A list that is separated by commas may be stated in each of its forms. */
export type ValueOf<Field> = Field extends { type: 'integer' | 'number' } | { unit: 'nanoseconds' }
  ? number
  : Field extends { type: 'string' | 'duration' }
    ? string
    : Field extends { type: 'boolean' }
      ? boolean
      : Field extends { type: 'list'; items: infer Items }
        ? ListOf<Field, ValueOf<Items>>
        : Field extends { type: 'map'; values: infer Values }
          ? Readonly<Record<string, ValueOf<Values>>>
          : Field extends { type: 'object'; properties: Properties }
            ? FieldsOf<Field> & OthersOf<Field>
            : unknown;

type OthersOf<Object> = Object extends { isOpen: true } ? { readonly [field: string]: unknown } : unknown;

type ListOf<Field, Item> = Field extends { isSentAsText: true }
  ? string
  : Field extends { isCommaSeparated: true }
    ? string | Item | readonly Item[]
    : readonly Item[];

type RequiredOf<Object> = Object extends { required: readonly (infer Name)[] } ? Name : never;

/** The fields of an object in requests: the argument of its operations. */
export type FieldsOf<Object extends { readonly properties: Properties }> = {
  [Name in keyof Object['properties'] as Name extends RequiredOf<Object> ? Name : never]: ValueOf<
    Object['properties'][Name]
  >;
} & {
  [Name in keyof Object['properties'] as Name extends RequiredOf<Object> ? never : Name]?:
    | ValueOf<Object['properties'][Name]>
    | undefined;
};

/** The type of a value as services return it. */
export type ReturnedValue<Field> = Field extends { unit: 'seconds' | 'nanoseconds' }
  ? string | number
  : Field extends { type: 'list'; items: infer Items }
    ? Field extends { isSentAsText: true }
      ? string
      : Field extends { isCommaSeparated: true }
        ? ReturnedValue<Items> | ReturnedValue<Items>[]
        : ReturnedValue<Items>[] | null
    : Field extends { type: 'map'; values: infer Values }
      ? Record<string, ReturnedValue<Values>> | null
      : Field extends { type: 'object'; properties: Properties }
        ? ReturnedFields<Field> | null
        : ValueOf<Field>;

/** The fields of an object as services return them. */
export type ReturnedFields<Object extends { readonly properties: Properties }> = {
  [Name in keyof Object['properties']]?: ReturnedValue<Object['properties'][Name]>;
};

/** The field of an object with a name; undefined: it is not declared. */
export const fieldOf = ({ properties }: ObjectSchema, name: string): Schema | undefined =>
  memberOf(properties, name);

/** Lists as texts, where they are sent so, and empty texts in maps, which services drop if they are null. */
export const asSent = (schema: ObjectSchema, fields: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, sentValue(fieldOf(schema, name), value)]),
  );

function sentValue(property: Schema | undefined, value: Json): Json {
  if (property?.type === 'list' && property.isSentAsText && Array.isArray(value)) return value.join(',');
  if (property?.type !== 'map' || property.values.type !== 'string' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, text ?? '']));
}
