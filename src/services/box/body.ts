import type { Json } from '../../wire/json.ts';
import type { HttpRequest } from '../core/http/http-service.ts';
import { forbidden, unprocessable } from './errors.ts';

/**
 * Reads an object of a body field by field. Null counts as absent: clients send it for fields that they do not
 * change.
 */
export class Fields {
  readonly #values: ReadonlyMap<string, Json>;
  readonly #subject: string;

  /** @throws HttpError 403: not an object */
  constructor(value: Json | undefined, subject: string) {
    const object = value ?? {};
    if (!isObject(object)) throw forbidden(`${subject} must be an object`);
    this.#subject = subject;
    this.#values = new Map(Object.entries(object));
  }

  has(name: string): boolean {
    return (this.#values.get(name) ?? null) !== null;
  }

  /** Undefined if absent; an empty string is a value. @throws HttpError 403: not a string */
  string(name: string): string | undefined {
    const value = this.#values.get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string')
      throw forbidden(`${this.#subject}.${name} must be a string`);
    return value;
  }

  /** @throws HttpError 403: absent, empty, or not a string */
  required(name: string): string {
    const value = this.string(name);
    if (!value) throw forbidden(`${this.#subject}.${name} is required`);
    return value;
  }

  /** Undefined if absent. @throws HttpError 403: not a boolean */
  boolean(name: string): boolean | undefined {
    const value = this.#values.get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'boolean')
      throw forbidden(`${this.#subject}.${name} must be true or false`);
    return value;
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body as an object. @throws HttpError 400, 403, 413 */
export async function readBody(request: HttpRequest): Promise<{ readonly [name: string]: Json }> {
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw forbidden('the body must be an object');
  return body;
}

/**
 * The object in the body under the name of the resource. The fields of a box may be in the body itself, as clients
 * send them (docs/protocol/box.md#endpoints).
 *
 * @throws HttpError 422: missing; 400, 403, 413
 */
export async function readWrappedFields(
  request: HttpRequest,
  name: 'box' | 'version' | 'provider',
): Promise<Fields> {
  const body = await readBody(request);
  const wrappedValue = Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
  if (wrappedValue !== undefined) return new Fields(wrappedValue, name);
  if (name === 'box' && Object.keys(body).some((key) => key !== name)) return new Fields(body, name);
  throw unprocessable(`${name} parameter is required!`);
}
