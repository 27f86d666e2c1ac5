import type { Json, JsonObject } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import type { Operation } from '../core/operation.ts';
import { type Path, type ReadingRules, read, textConversions } from '../core/schema/read.ts';
import { type Fields, type Input, type ObjectType, object, type Type } from '../core/schema/types.ts';
import type { Context } from './call.ts';
import { attributesMismatch, invalidField, type Problems } from './errors.ts';
import { limitedJson, limitedText, positiveInteger } from './model/fields.ts';

const maxBodyLength = 262_144;
/** The largest `page_size` that a request may have. */
const maxUint32 = 2 ** 32 - 1;

/** Null and empty strings count as missing, and unknown fields are ignored. Problems are collected. */
function bodyRules(problems: Problems, prefix = ''): ReadingRules {
  const add = (path: Path, problem: string): void => problems.add(prefix + path.join('.'), problem);
  const addOwn = (path: Path, { problem }: Type): void => {
    if (problem !== undefined) add(path, problem);
  };
  return {
    convert: {
      ...textConversions,
      string: (value) => (typeof value === 'string' ? limitedText(value) : undefined),
      boolean: (value) => (typeof value === 'boolean' ? value : undefined),
      integer: positiveInteger,
      list: (value) => (Array.isArray(value) && !value.includes(null) ? limitedJson(value) : undefined),
    },
    isMissing,
    expected: { integer: 'a positive integer', list: 'a list of strings', strings: 'a list of strings' },
    invalid: (path, expected) => add(path, `This field must be ${expected}.`),
    rejected: add,
    missing: addOwn,
    readOnly: addOwn,
  };
}

/** A required list must not be empty. */
function isMissing(value: Json, { kind, convert, isRequired }: Type): boolean {
  if (value === '') return kind === 'string' && !convert;
  return value === null || (isRequired === true && Array.isArray(value) && value.length === 0);
}

/** Reads the body of an operation; without a body, all fields are missing. @throws HttpError 400, 413 */
export async function readBody(
  request: HttpRequest,
  { body: type }: Operation<Context>,
  { problems }: Context,
): Promise<unknown> {
  if ((await request.text()).length > maxBodyLength)
    throw new HttpError(413, 'The request body is too large.');
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw new HttpError(400, 'The request body must be a JSON object.');
  return type && read(type, body, bodyRules(problems));
}

/**
 * Reads attributes, whose fields depend on the type of the resource. Problems are collected, except that an unknown
 * attribute, or one of another JSON type, is an error of its own.
 * @param missing what is reported of a missing attribute that is required; default: the problem of its type
 * @throws InvalidFieldsError 400
 */
export function readAttributes<F extends Fields>(
  fields: F,
  attributes: object | null | undefined,
  problems: Problems,
  missing?: string,
): Input<ObjectType<F>> {
  const mismatch = (): never => {
    throw attributesMismatch();
  };
  return read(object(fields), { ...attributes } as JsonObject, {
    ...bodyRules(problems, 'attributes.'),
    invalid: mismatch,
    unknown: mismatch,
    ...(missing !== undefined && {
      missing: ([name]: Path) => problems.add(`attributes.${name}`, missing),
    }),
  });
}

/** Of query parameters. An empty one counts as missing, unless it is a text. */
export const queryRules: ReadingRules = {
  convert: {
    ...textConversions,
    boolean: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
    integer: (value) =>
      /^\d{1,10}$/.test(String(value)) && Number(value) <= maxUint32 ? Number(value) : undefined,
  },
  isMissing: (value, { kind }) => value === '' && kind !== 'string',
  expected: { integer: 'a number, 0 or more' },
  /** @throws InvalidFieldsError 400 */
  invalid(path, expected): never {
    throw invalidField(path.join('.'), `This field must be ${expected}.`);
  },
};
