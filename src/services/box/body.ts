import type { Json } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import { FieldReader, type JsonObject } from '../core/http/fields.ts';
import type { HttpRequest } from '../core/http/http-service.ts';
import { forbidden, unprocessable } from './errors.ts';

/** An object of a body. Null counts as missing: clients send it for values that they do not change. */
export class Fields extends FieldReader {
  readonly #subject: string;

  /** @throws HttpError 403: not an object */
  constructor(value: Json | undefined, subject: string) {
    const object = value ?? {};
    if (!isObject(object)) throw forbidden(`${subject} must be an object`);
    super(object);
    this.#subject = subject;
  }

  /** @throws HttpError 403: missing, empty, or not a string */
  required(name: string): string {
    const value = this.string(name);
    if (!value) throw forbidden(`${this.#subject}.${name} is required`);
    return value;
  }

  /** @throws HttpError 403 */
  protected override invalid(name: string, expected: string): never {
    throw forbidden(`${this.#subject}.${name} must be ${expected}`);
  }
}

/** The body as an object. @throws HttpError 400, 403, 413 */
export async function readBody(request: HttpRequest): Promise<JsonObject> {
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw forbidden('the body must be an object');
  return body;
}

/**
 * The object in the body that is named after the resource. The fields of a box may also be in the body itself, as
 * some clients send them (docs/protocol/box.md#endpoints).
 * @throws HttpError 422: it is missing; 400, 403, 413
 */
export async function readWrappedFields(
  request: HttpRequest,
  name: 'box' | 'organization' | 'provider' | 'version',
): Promise<Fields> {
  const body = await readBody(request);
  const wrappedValue = Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
  if (wrappedValue !== undefined) return new Fields(wrappedValue, name);
  if (name === 'box' && Object.keys(body).some((key) => key !== name)) return new Fields(body, name);
  throw unprocessable(`${name} parameter is required!`);
}
