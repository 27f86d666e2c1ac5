import type { Json } from '../../../wire/json.ts';
import type { HttpRequest } from '../../http/service.ts';
import { notAllowed, unprocessable } from './refusals.ts';

/**
 * An object of a body; its members are read by what they must be. Null counts as absent: clients send it for what
 * they do not know, and mean no change by it.
 */
export class Fields {
  readonly #members: ReadonlyMap<string, Json>;
  readonly #what: string;

  /** @throws HttpRefusal 403: it is not an object */
  constructor(value: Json | undefined, what: string) {
    const given = value ?? {};
    if (!isObject(given)) throw notAllowed(`${what} must be an object`);
    this.#what = what;
    this.#members = new Map(Object.entries(given));
  }

  has(name: string): boolean {
    return (this.#members.get(name) ?? null) !== null;
  }

  /** Undefined where it is absent; empty text is text. @throws HttpRefusal 403: it is not a string */
  text(name: string): string | undefined {
    const value = this.#members.get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string')
      throw notAllowed(`${this.#what}.${name} must be a string`);
    return value;
  }

  /** @throws HttpRefusal 403: it is absent, empty, or not a string */
  required(name: string): string {
    const value = this.text(name);
    if (!value) throw notAllowed(`${this.#what}.${name} is required`);
    return value;
  }

  /** Undefined where it is absent. @throws HttpRefusal 403: it is neither true nor false */
  boolean(name: string): boolean | undefined {
    const value = this.#members.get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'boolean')
      throw notAllowed(`${this.#what}.${name} must be true or false`);
    return value;
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body as an object. @throws HttpRefusal 400, 403, 413 */
export async function bodyOf(request: HttpRequest): Promise<{ readonly [name: string]: Json }> {
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw notAllowed('the body must be an object');
  return body;
}

/**
 * The object in the body that has the name of what is written. The members of a box may stand in the body itself, as
 * clients send them (docs/protocol/box.md#endpoints).
 * @throws HttpRefusal 422: it is missing; 400, 403, 413
 */
export async function wrapped(request: HttpRequest, name: 'box' | 'version' | 'provider'): Promise<Fields> {
  const body = await bodyOf(request);
  const members = Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
  if (members !== undefined) return new Fields(members, name);
  if (name === 'box' && Object.keys(body).some((member) => member !== name)) return new Fields(body, name);
  throw unprocessable(`${name} parameter is required!`);
}
