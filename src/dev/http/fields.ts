import { parseDuration } from '../../wire/duration.ts';
import type { Json } from '../../wire/json.ts';
import { HttpRefusal, type HttpRequest } from './service.ts';

/** A body, or a part of one, with the wrong type; the message names the field. */
export class FieldError extends Error {}

/** An object in a body; field names are case-insensitive, as in the product. */
export class Fields {
  readonly #members: ReadonlyMap<string, Json>;
  readonly #what: string;

  /** @throws FieldError not an object */
  constructor(value: Json | undefined, what = 'the body') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FieldError(`${what} must be an object`);
    }
    this.#what = what;
    this.#members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  }

  /** A null field counts as missing. */
  get(name: string): Json | undefined {
    return this.#members.get(name.toLowerCase()) ?? undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Empty if missing. */
  text(name: string): string {
    const value = this.get(name) ?? '';
    if (typeof value !== 'string') throw this.#wrong(name, 'a string');
    return value;
  }

  boolean(name: string): boolean {
    const value = this.get(name) ?? false;
    if (typeof value !== 'boolean') throw this.#wrong(name, 'true or false');
    return value;
  }

  /** 0 if missing. */
  integer(name: string): number {
    const value = this.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw this.#wrong(name, 'an integer');
    return value;
  }

  /** An unsigned 64-bit integer, exactly; 0 if missing. */
  unsigned(name: string): number | bigint {
    const value = this.get(name) ?? 0;
    const good =
      typeof value === 'bigint'
        ? value >= 0n && value < 2n ** 64n
        : Number.isSafeInteger(value) && Number(value) >= 0;
    if (!good) throw this.#wrong(name, 'an unsigned integer of 64 bits');
    return value as number | bigint;
  }

  /** An index; exact below 2^53, which no index exceeds. */
  index(name: string): number {
    return Number(this.unsigned(name));
  }

  object(name: string): Fields | undefined {
    return this.has(name) ? new Fields(this.get(name), name) : undefined;
  }

  /** An object, unchanged; undefined if missing. */
  kept(name: string): { readonly [member: string]: Json } | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.#wrong(name, 'an object');
    return value;
  }

  list(name: string): readonly Json[] {
    const value = this.get(name) ?? [];
    if (!Array.isArray(value)) throw this.#wrong(name, 'an array');
    return value;
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((each) => {
      if (typeof each !== 'string') throw this.#wrong(name, 'an array of strings');
      return each;
    });
  }

  /** A map of strings; null if missing. */
  textMap(name: string): { readonly [member: string]: string } | null {
    const value = this.kept(name);
    if (!value) return null;
    if (!Object.values(value).every((each) => typeof each === 'string'))
      throw this.#wrong(name, 'a map of strings');
    return value as { readonly [member: string]: string };
  }

  /** Seconds, from a duration or a number of nanoseconds; undefined if missing. */
  duration(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const seconds =
      typeof value === 'number' ? value / 1e9 : typeof value === 'string' ? parseDuration(value) : undefined;
    if (seconds === undefined || seconds < 0) throw this.#wrong(name, 'a duration');
    return seconds;
  }

  #wrong(name: string, wanted: string): FieldError {
    return new FieldError(`${name} of ${this.#what} must be ${wanted}`);
  }
}

/**
 * Reads a body.
 * @param prefix precedes the reason when it cannot be decoded
 * @throws HttpRefusal 400, 413
 */
export async function decode<Body>(
  request: HttpRequest,
  prefix: string,
  read: (body: Json | undefined) => Body,
): Promise<Body> {
  const unreadable = (error: Error): HttpRefusal => new HttpRefusal(400, `${prefix}: ${error.message}`);
  const body = await request.json().catch((error: unknown) => {
    throw error instanceof HttpRefusal && error.status === 400 ? unreadable(error) : error;
  });
  try {
    return read(body);
  } catch (error) {
    // Other errors keep their own message.
    throw error instanceof FieldError ? unreadable(error) : error;
  }
}
