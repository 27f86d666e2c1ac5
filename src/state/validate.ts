import type {
  ListSchema,
  MapSchema,
  NumberSchema,
  ObjectSchema,
  Schema,
  StringSchema,
} from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { suggest } from '../wire/suggest.ts';
import type { JsonObject } from './kind.ts';
import { propertyOf, secondsOf } from './normalize.ts';
import { type Path, parseReference, referenceIn } from './references.ts';

export type { Path };

interface Options {
  readonly report: (path: Path, message: string) => void;
  /** Values of secret fields may be in the file. */
  readonly allowsLiterals: boolean;
  readonly allowsUnknownFields: boolean;
  /** Whether a value is from `spec.values` of the set. */
  readonly isInserted?: (path: Path) => boolean;
}

const typeNames: { readonly [Type in Schema['type']]: string } = {
  string: 'a string',
  duration: 'a duration such as 30s or 1h30m, or a number',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  any: 'a value',
  list: 'a list',
  map: 'names and values',
  object: 'an object',
};

/** Checks a value against its schema. Messages never contain a value. */
export function validate(schema: Schema, value: Json | undefined, path: Path, options: Options): void {
  if (value === null || value === undefined) return;
  const reference = referenceIn(value);
  const source = parseReference(reference ?? '');
  // A value of the set that is missing is reported where it would be inserted.
  if (source?.from === 'values') return;
  if (reference !== undefined && schema.type !== 'map' && schema.type !== 'object') {
    if (!source)
      options.report(
        [...path, 'valueFrom'],
        'invalid reference: expected env://NAME, file://PATH[#/POINTER], secrets://MOUNT/PATH#FIELD or values://NAME[#/POINTER]',
      );
    return;
  }
  if (!hasType(schema, value)) {
    const isUnquoted = schema.type === 'string' && typeof value === 'number';
    options.report(path, `expected ${typeNames[schema.type]}${isUnquoted ? ' in quotes' : ''}`);
    return;
  }
  if (schema.isSecret && !options.allowsLiterals)
    options.report(
      path,
      options.isInserted?.(path)
        ? 'secret field: values of the set are not secret, use another source, or set metadata.allowLiteral to true'
        : 'secret value in the file: use valueFrom, or set metadata.allowLiteral to true',
    );
  if (schema.type === 'string') validateText(schema, value, path, options);
  if (schema.type === 'integer' || schema.type === 'number')
    validateNumber(schema, Number(value), path, options);
  if (schema.type === 'list') validateList(schema, value, path, options);
  if (schema.type === 'map') validateMap(schema, value as JsonObject, path, options);
  if (schema.type === 'object') validateObject(schema, value as JsonObject, path, options);
}

/** Whether an integer may be written for a text: one with a fraction may not, 1.10 is the number 1.1. */
export const acceptsNumbers = ({ enum: choices, pattern, minLength, isQuoted }: StringSchema): boolean =>
  [choices, minLength, isQuoted].every((limit) => limit === undefined) && (pattern?.test('1') ?? true);

const isInteger = (value: Json): boolean => typeof value === 'bigint' || Number.isInteger(value);

function hasType(schema: Schema, value: Json): boolean {
  switch (schema.type) {
    case 'any':
      return true;
    case 'string':
      return typeof value === 'string' || (acceptsNumbers(schema) && isInteger(value));
    case 'duration':
      return secondsOf(schema.unit, value) !== undefined;
    case 'integer':
      return isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      if (Array.isArray(value)) return true;
      return schema.isCommaSeparated === true && (typeof value === 'string' || typeof value === 'number');
    default:
      return isObject(value);
  }
}

function validateText(
  { enum: choices, pattern, minLength, maxLength }: StringSchema,
  value: Json,
  path: Path,
  { report }: Options,
) {
  const text = String(value);
  if (choices && !choices.includes(text)) report(path, `expected one of ${choices.join(', ')}`);
  else if (pattern && !pattern.test(text)) report(path, `expected a string that matches ${pattern.source}`);
  if (minLength !== undefined && [...text].length < minLength)
    report(
      path,
      minLength === 1 ? 'expected a non-empty string' : `too short: at least ${minLength} characters`,
    );
  if (maxLength !== undefined && [...text].length > maxLength)
    report(path, `too long: at most ${maxLength} characters`);
}

function validateNumber(
  { minimum, maximum }: NumberSchema,
  value: number,
  path: Path,
  { report }: Options,
): void {
  if (minimum !== undefined && value < minimum) report(path, `too small: at least ${minimum}`);
  if (maximum !== undefined && value > maximum) report(path, `too large: at most ${maximum}`);
}

function validateList({ items }: ListSchema, value: Json, path: Path, options: Options): void {
  if (!Array.isArray(value)) return;
  for (const [index, item] of value.entries()) validate(items, item, [...path, index], options);
}

function validateMap(
  { values, maxProperties }: MapSchema,
  value: JsonObject,
  path: Path,
  options: Options,
): void {
  for (const [name, member] of Object.entries(value)) validate(values, member, [...path, name], options);
  if (maxProperties !== undefined && Object.keys(value).length > maxProperties)
    options.report(path, `too many names: at most ${maxProperties}`);
}

function validateObject(schema: ObjectSchema, value: JsonObject, path: Path, options: Options): void {
  const given = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    if (property === undefined) {
      if (!schema.isOpen && !options.allowsUnknownFields)
        options.report([...path, name], unknownField(name, Object.keys(schema.properties)));
      continue;
    }
    const other = given.get(property);
    if (other !== undefined) options.report([...path, name], `the same field as "${other}"`);
    given.set(property, name);
    const propertySchema = schema.properties[property];
    if (propertySchema) validate(propertySchema, member, [...path, name], options);
  }
  for (const name of schema.required ?? []) {
    const stated = given.get(name);
    if (stated === undefined || value[stated] === null) options.report(path, `missing field "${name}"`);
  }
}

/** The problem of a field whose name is not one of these. */
export function unknownField(name: string, names: readonly string[]): string {
  const meant = suggest(name, names);
  return `unknown field "${name}"${meant === undefined ? '' : `, did you mean "${meant}"?`}`;
}
