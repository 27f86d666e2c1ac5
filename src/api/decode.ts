import * as v from 'valibot';
import { isObject } from '../wire/objects.ts';
import type { AnyResponse } from '../wire/responses/secrets.ts';
import type { Decoder } from './operation.ts';

/**
 * A decoder that checks the fields a schema names and returns the body unchanged: nothing is dropped, defaulted or
 * transformed. Its errors contain no value, which may be a secret.
 */
export function checked<Schema extends v.GenericSchema>(schema: Schema): Decoder<v.InferInput<Schema>> {
  return (body) => {
    const result = v.safeParse(schema, body, { abortEarly: true });
    if (!result.success) {
      const [issue] = result.issues;
      throw new Error(`${v.getDotPath(issue) ?? 'the body'}: ${fault(issue)}`);
    }
    return body as v.InferInput<Schema>;
  };
}

function fault({ kind, type, expected, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'missing';
  const what = input === null ? 'null' : Array.isArray(input) ? 'an array' : article(typeof input);
  return kind === 'schema'
    ? `expected ${expected}, got ${what}`
    : `expected ${type}, got ${what} of another form`;
}

const article = (type: string): string => `${type === 'object' ? 'an' : 'a'} ${type}`;

/** A list of objects; null: it has none. */
export const checkedList = <Schema extends v.GenericSchema>(schema: Schema) =>
  checked(v.nullable(v.array(schema)));

// The types of most fields. An integer that a number cannot hold exactly is a bigint.
export const text = v.optional(v.string());
export const flag = v.optional(v.boolean());
export const texts = v.nullish(v.array(v.string()));
export const pairs = v.nullish(v.record(v.string(), v.string()));
export const integer = v.union([v.number(), v.bigint()]);
export const index = v.optional(integer);

/** Schemas of fields that have a type and no check. */
type Shown<Fields> = {
  readonly [Name in keyof Fields]-?: v.OptionalSchema<v.CustomSchema<Fields[Name], undefined>, undefined>;
};

/**
 * Fields that Lanyard shows: they have a type, for readers of results, and those without a schema are not checked, because
 * Lanyard does not use them.
 */
export const shown = <Fields extends object>(
  schemas: { readonly [Name in keyof Fields]?: v.GenericSchema } = {},
): Shown<Fields> => schemas as Shown<Fields>;

/** Any body, or none. */
export const anything: Decoder<unknown> = (body) => body;

/** A decoder of bodies that pass a check. */
const expecting =
  <Output>(what: string, matches: (body: unknown) => body is Output): Decoder<Output> =>
  (body) => {
    if (!matches(body)) throw new Error(`the body: expected ${what}`);
    return body;
  };

/** An object, text, or no body: services send no other JSON. */
export const objectOrText = expecting(
  'an object',
  (body): body is AnyResponse => body === undefined || typeof body === 'string' || isObject(body),
);

/** A body of text. */
export const plainText = expecting('text', (body) => typeof body === 'string');

/** No body: the response to a write without a result. */
export const noBody = expecting('none', (body) => body === undefined);

/** `true`: how Consul confirms a logout. */
export const onlyTrue = expecting('true', (body) => body === true);

/** An object that has at least one field: `{}`, `[]` and `null` do not confirm a write. */
export const someFields = expecting(
  'an object with fields',
  (body): body is Readonly<Record<string, unknown>> => isObject(body) && Object.keys(body).length > 0,
);

/** No body, or what another decoder accepts, for every status. */
export const noBodyOr =
  <Output>(decode: Decoder<Output>): Decoder<Output | undefined> =>
  (body) =>
    body === undefined ? undefined : decode(body);

/** 204 without a body, or what another decoder accepts: a 200 without a body does not confirm a write. */
export const noContentOr =
  <Output>(decode: Decoder<Output>): Decoder<Output | undefined> =>
  (body, status) =>
    body === undefined && (status === undefined || status === 204) ? undefined : decode(body);
