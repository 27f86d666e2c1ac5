import type { Json } from '../../../wire/json.ts';

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type Schema = { readonly [keyword: string]: Json };

/** Named schemas, in the order in which they are shown. */
export type Schemas = Readonly<Record<string, Schema>>;

type Typed = (description?: string, more?: Schema) => Schema;

const typed =
  (type: string, fixed: Schema = {}): Typed =>
  (description, more = {}) => ({ type, ...fixed, ...(description && { description }), ...more });

export const text = typed('string');
export const boolean = typed('boolean');
export const integer = typed('integer');
/** An integer that may exceed 2^53. */
export const int64 = typed('integer', { format: 'int64' });
/** An object with any fields. */
export const anyObject = typed('object');

export const oneOf = (values: string[], description?: string): Schema => text(description, { enum: values });

export const array = (items: Schema, description?: string): Schema => ({
  type: 'array',
  ...(description && { description }),
  items,
});

/** An object whose fields have any names. */
export const map = (values: Schema, description?: string): Schema => ({
  type: 'object',
  ...(description && { description }),
  additionalProperties: values,
});

/** A value that may be null. */
export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (typeof type === 'string')
    return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
  return { anyOf: [schema, { type: 'null' }] };
}

/** An object of a response: a field is always present unless its name ends in `?`. */
export function object(fields: Schemas, description?: string): Schema {
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(description && { description }),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** An object of a request: a field is optional unless its name ends in `!`. */
export function input(fields: Schemas, description?: string): Schema {
  const names = Object.entries(fields).map(([name, schema]): [string, Schema] =>
    name.endsWith('!') ? [name.slice(0, -1), schema] : [`${name}?`, schema],
  );
  return object(Object.fromEntries(names), description);
}

/** A schema of the components of the document. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
