import type { Json } from '../wire/json.ts';

/** What applies to a field of any type. */
interface Common {
  /** One sentence, for editors and messages. */
  readonly description?: string;
  /** The value that the service has if none is given; absent: the zero value (false, 0, "", an empty list or map). */
  readonly default?: Json;
  /** Its value is never shown, compared values neither: `(secret changed)`. */
  readonly isSecret?: true;
  /** The service never returns it: it is sent when the object is created, and again when `spec.rotate` grows. */
  readonly isWriteOnly?: true;
  /** The service assigns a value where none is given: stated as null or empty, it is not compared. */
  readonly isAssigned?: true;
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
   * `lines`: a text whose trailing white space, also of each line, does not matter (policies, rules).
   * `name`: upper and lower case are the same.
   * `time`: in RFC 3339 format; the same time in another zone is the same value.
   * `trimmed`: white space at both ends does not matter.
   */
  readonly form?: 'lines' | 'name' | 'time' | 'trimmed';
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

const string = (options: Options<StringSchema> = {}): StringSchema => ({ type: 'string', ...options });

/** Builders of schemas. */
export const field = {
  string,
  /** A text whose trailing white space does not matter. */
  lines: (options: Options<StringSchema> = {}): StringSchema => ({
    type: 'string',
    form: 'lines',
    ...options,
  }),
  /** A text that is a secret. */
  secret: (options: Options<StringSchema> = {}): StringSchema => ({
    type: 'string',
    isSecret: true,
    ...options,
  }),
  choice: (values: readonly string[], options: Options<StringSchema> = {}): StringSchema => ({
    type: 'string',
    enum: values,
    ...options,
  }),
  duration: (
    unit: DurationSchema['unit'],
    options: Omit<Options<DurationSchema>, 'unit'> = {},
  ): DurationSchema => ({
    type: 'duration',
    unit,
    ...options,
  }),
  integer: (options: Options<NumberSchema> = {}): NumberSchema => ({ type: 'integer', ...options }),
  number: (options: Options<NumberSchema> = {}): NumberSchema => ({ type: 'number', ...options }),
  boolean: (options: Options<BooleanSchema> = {}): BooleanSchema => ({ type: 'boolean', ...options }),
  any: (options: Options<AnySchema> = {}): AnySchema => ({ type: 'any', ...options }),
  list: (items: Schema, options: Omit<Options<ListSchema>, 'items'> = {}): ListSchema => ({
    type: 'list',
    items,
    ...options,
  }),
  /** A list whose order does not matter. */
  set: (
    items: Schema = string(),
    options: Omit<Options<ListSchema>, 'items' | 'isSet'> = {},
  ): ListSchema => ({
    type: 'list',
    items,
    isSet: true,
    ...options,
  }),
  map: (values: Schema = string(), options: Omit<Options<MapSchema>, 'values'> = {}): MapSchema => ({
    type: 'map',
    values,
    ...options,
  }),
  object: (
    properties: ObjectSchema['properties'],
    options: Omit<Options<ObjectSchema>, 'properties'> = {},
  ): ObjectSchema => ({ type: 'object', properties, ...options }),
} as const;
