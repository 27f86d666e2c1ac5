import { decodeBody, FieldError } from '../core/http/decode-body.ts';
import type { HttpRequest } from '../core/http/http-service.ts';
import type { Operation } from '../core/operation.ts';
import { goRules } from '../core/schema/go-rules.ts';
import { type ReadingRules, read } from '../core/schema/read.ts';

/** A field that an object does not have is an error, in the words of the product. @param hint about a namespace */
export const strictly = (rules: ReadingRules, hint = ''): ReadingRules => ({
  ...rules,
  unknown(_path, [name = '']) {
    throw new FieldError(`json: unknown field ${JSON.stringify(name)}${name === 'Namespace' ? hint : ''}`);
  },
});

const strictRules = strictly(goRules);
const hintingRules = strictly(goRules, ' - Namespaces are a Consul Enterprise feature');

/** Reads the body of an operation. @throws HttpError 400, 413 */
export const readBody = (
  request: HttpRequest,
  { body, bodyError = '', isBodyOptional, rejectsUnknownFields }: Operation<never>,
): Promise<unknown> =>
  decodeBody(request, bodyError, (json) => {
    if (json === undefined && !isBodyOptional) throw new FieldError('EOF');
    const rules = rejectsUnknownFields === 'with hint' ? hintingRules : strictRules;
    return body && read(body, json, rejectsUnknownFields ? rules : goRules);
  });
