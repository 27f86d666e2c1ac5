import { decodeBody, FieldError } from '../core/http/fields.ts';
import type { HttpRequest } from '../core/http/http-service.ts';
import type { Operation } from '../core/operation.ts';
import { goRules } from '../core/schema/go-rules.ts';
import { type ReadingRules, read } from '../core/schema/read.ts';

/** A field that the body does not have is an error, in the words of the product. */
const strictRules: ReadingRules = {
  ...goRules,
  unknown(_path, [name = '']) {
    const reason = name === 'Namespace' ? ' - Namespaces are a Consul Enterprise feature' : '';
    throw new FieldError(`json: unknown field ${JSON.stringify(name)}${reason}`);
  },
};

/** Reads the body of an operation. @throws HttpError 400, 413 */
export const readBody = (
  request: HttpRequest,
  { body, bodyError = '', isBodyOptional, rejectsUnknownFields }: Operation<never>,
): Promise<unknown> =>
  decodeBody(request, bodyError, (json) => {
    if (json === undefined && !isBodyOptional) throw new FieldError('EOF');
    return body && read(body, json, rejectsUnknownFields ? strictRules : goRules);
  });
