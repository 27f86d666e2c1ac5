import { decodeBody, Fields } from '../core/http/fields.ts';
import { HttpError } from '../core/http/http-service.ts';
import type { Call } from './call.ts';

/**
 * Reads the object in the body of a request, which must have one.
 * @param prefix precedes the reason when it cannot be decoded
 * @throws HttpError 400, 413
 */
export function readBody<Body>(
  { request }: Pick<Call, 'request'>,
  prefix: string,
  read: (fields: Fields) => Body,
): Promise<Body> {
  return decodeBody(request, prefix, (body) => {
    if (body === undefined) throw new HttpError(400, 'Request body is empty');
    return read(new Fields(body));
  });
}
