import type { Json } from '../../../wire/json.ts';
import { HttpError, type HttpRequest } from './http-service.ts';

/** A body, or a part of one, with the wrong type; the message names the field. */
export class FieldError extends Error {}

/**
 * Reads a body.
 * @param prefix precedes the reason when it cannot be decoded
 * @throws HttpError 400, 413
 */
export async function decodeBody<Body>(
  request: HttpRequest,
  prefix: string,
  read: (body: Json | undefined) => Body,
): Promise<Body> {
  const badRequest = (error: Error): HttpError => new HttpError(400, `${prefix}: ${error.message}`);
  const body = await request.json().catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 400 ? badRequest(error) : error;
  });
  try {
    return read(body);
  } catch (error) {
    // Other errors keep their own message.
    throw error instanceof FieldError ? badRequest(error) : error;
  }
}
