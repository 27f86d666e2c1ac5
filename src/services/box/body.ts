import type { JsonObject } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import type { HttpRequest } from '../core/http/http-service.ts';
import type { Operation } from '../core/operation.ts';
import { goRules } from '../core/schema/go-rules.ts';
import { type ReadingRules, read, textConversions } from '../core/schema/read.ts';
import { isObjectType } from '../core/schema/types.ts';
import { forbidden, unprocessable } from './errors.ts';

/** Null counts as missing: clients send it for values that they do not change. A required text must not be empty. */
const rules: ReadingRules = {
  convert: goRules.convert,
  isMissing: (value, { isRequired }) => value === null || (isRequired === true && value === ''),
  checksLimits: true,
  invalid(path, expected) {
    throw forbidden(`${path.join('.') || 'the body'} must be ${expected}`);
  },
  missing(path) {
    const field = path.join('.');
    if (path.length > 1) throw forbidden(`${field} is required`);
    // The login is not a resource.
    throw field === 'user'
      ? forbidden('user.login is required')
      : unprocessable(`${field} parameter is required!`);
  },
};

/** Reads the body of an operation. @throws HttpError 422: the object of the resource is missing; 400, 403, 413 */
export async function readBody(request: HttpRequest, { body: type }: Operation<never>): Promise<unknown> {
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw forbidden('the body must be an object');
  return type && read(type, isObjectType(type) && type.alternative ? withBox(body) : body, rules);
}

/** The fields of a box may also be in the body itself (docs/protocol/box.md#endpoints). */
function withBox(body: JsonObject): JsonObject {
  const isBare = (body.box ?? null) === null && Object.keys(body).some((key) => key !== 'box');
  return isBare ? { box: body } : body;
}

/** An empty parameter counts as missing. */
export const queryRules: ReadingRules = {
  ...rules,
  convert: textConversions,
  isMissing: (value) => value === '',
};
