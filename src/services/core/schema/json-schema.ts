import type { Json } from '../../../wire/json.ts';
import {
  isEither,
  isList,
  isMap,
  isObjectType,
  type JsonSchema,
  type ObjectType,
  type Type,
} from './types.ts';

export type Direction = 'request' | 'response';

export interface DocumentOptions {
  readonly components: Map<string, JsonSchema>;
  /** Whether null counts as missing in requests. */
  readonly acceptsNull: boolean;
  /** Whether null in a list is nevertheless an error. */
  readonly rejectsNullItems?: boolean | undefined;
}

/** The JSON Schema of a type in a request or response. */
export function jsonSchemaOf(type: Type, direction: Direction, options: DocumentOptions): JsonSchema {
  const isMissing =
    direction === 'request' && options.acceptsNull && !type.isRequired && type.kind !== 'json';
  return isMissing && !type.isNullable
    ? nullable(presentSchemaOf(type, direction, options))
    : statedSchemaOf(type, direction, options);
}

/** The same of an item or option that is not missing where it is null. */
function statedSchemaOf(type: Type, direction: Direction, options: DocumentOptions): JsonSchema {
  const schema = presentSchemaOf(type, direction, options);
  return type.isNullable ? nullable(schema) : schema;
}

const scalars: Readonly<Partial<Record<Type['kind'], JsonSchema>>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  time: { type: 'string', format: 'date-time' },
};

const durationTypes: Json = [{ type: 'string' }, { type: 'number' }];

function presentSchemaOf(type: Type, direction: Direction, options: DocumentOptions): JsonSchema {
  const { description, keywords, default: missing } = type;
  const more = {
    ...keywords,
    ...(missing !== undefined && direction === 'request' && { default: missing }),
    ...(description !== undefined && { description }),
  };
  if (type.accepts && direction === 'request') return { ...more, ...type.accepts };
  if (isList(type)) {
    const schemaOf = options.rejectsNullItems ? statedSchemaOf : jsonSchemaOf;
    return { type: 'array', ...more, items: schemaOf(type.items, direction, options) };
  }
  if (isMap(type))
    return { type: 'object', ...more, additionalProperties: jsonSchemaOf(type.values, direction, options) };
  if (isEither(type))
    return {
      ...more,
      anyOf: type.options.map((option) => statedSchemaOf(option, direction, options)),
    };
  if (!isObjectType(type)) {
    if (type.kind !== 'duration') return { ...scalars[type.kind], ...more };
    if (direction === 'request') return { ...more, anyOf: durationTypes };
    return { type: 'integer', ...more, description: [description, 'Seconds.'].join(' ').trimStart() };
  }
  if (type.alternative && direction === 'request')
    return {
      ...more,
      anyOf: [type, type.alternative].map((each) => objectSchema(each, direction, options, {})),
    };
  if (type.name === undefined) return objectSchema(type, direction, options, more);
  const name = direction === 'request' ? `${type.name}Input` : type.name;
  if (!options.components.has(name)) {
    // Set first: an object may contain itself.
    options.components.set(name, {});
    options.components.set(name, objectSchema(type, direction, options, more));
  }
  return { $ref: `#/components/schemas/${name}` };
}

function objectSchema(
  { fields, isOpen }: ObjectType,
  direction: Direction,
  options: DocumentOptions,
  more: JsonSchema,
): JsonSchema {
  const shown = Object.entries(fields).filter(([, { only }]) => only === undefined || only === direction);
  const isRequired = ({ isRequired, isOptional, omitsEmpty }: Type) =>
    direction === 'request' ? isRequired : !isOptional && !omitsEmpty;
  const required = shown.flatMap(([name, field]) => (isRequired(field) ? [name] : []));
  return {
    type: 'object',
    ...more,
    properties: Object.fromEntries(
      shown.map(([name, field]) => [name, jsonSchemaOf(field, direction, options)]),
    ),
    ...(required.length > 0 && { required }),
    ...(isOpen && { additionalProperties: true }),
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  const types = Array.isArray(type) ? type : typeof type === 'string' ? [type] : undefined;
  if (!types) return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  if (types.includes('null')) return schema;
  return { ...schema, type: [...types, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
