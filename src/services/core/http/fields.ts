import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { HttpError, type HttpRequest } from './http-service.ts';

/** A body, or a part of one, with the wrong type; the message names the field. */
export class FieldError extends Error {}

/** An object in a body; field names are case-insensitive, as in the product. */
export class Fields {
  readonly #values: ReadonlyMap<string, Json>;
  readonly #subject: string;

  /** @throws FieldError not an object */
  constructor(value: Json | undefined, subject = 'the body') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FieldError(`${subject} must be an object`);
    }
    this.#subject = subject;
    this.#values = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
  }

  /** A null field counts as missing. */
  get(name: string): Json | undefined {
    return this.#values.get(name.toLowerCase()) ?? undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Empty if missing. */
  string(name: string): string {
    const value = this.get(name) ?? '';
    if (typeof value !== 'string') throw this.#invalid(name, 'a string');
    return value;
  }

  boolean(name: string): boolean {
    const value = this.get(name) ?? false;
    if (typeof value !== 'boolean') throw this.#invalid(name, 'true or false');
    return value;
  }

  /** 0 if missing. */
  integer(name: string): number {
    const value = this.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw this.#invalid(name, 'an integer');
    return value;
  }

  /** An unsigned 64-bit integer, exactly; 0 if missing. */
  unsigned(name: string): number | bigint {
    const value = this.get(name) ?? 0;
    const isValid =
      typeof value === 'bigint'
        ? value >= 0n && value < 2n ** 64n
        : Number.isSafeInteger(value) && Number(value) >= 0;
    if (!isValid) throw this.#invalid(name, 'an unsigned integer of 64 bits');
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
  rawObject(name: string): { readonly [field: string]: Json } | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.#invalid(name, 'an object');
    return value;
  }

  list(name: string): readonly Json[] {
    const value = this.get(name) ?? [];
    if (!Array.isArray(value)) throw this.#invalid(name, 'an array');
    return value;
  }

  strings(name: string): readonly string[] {
    return this.list(name).map((each) => {
      if (typeof each !== 'string') throw this.#invalid(name, 'an array of strings');
      return each;
    });
  }

  /** A map of strings; null if missing. */
  stringMap(name: string): { readonly [field: string]: string } | null {
    const value = this.rawObject(name);
    if (!value) return null;
    if (!Object.values(value).every((each) => typeof each === 'string'))
      throw this.#invalid(name, 'a map of strings');
    return value as { readonly [field: string]: string };
  }

  /** Seconds, from a duration or a number of nanoseconds; undefined if missing. */
  duration(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const seconds =
      typeof value === 'number' ? value / 1e9 : typeof value === 'string' ? parseDuration(value) : undefined;
    if (seconds === undefined || seconds < 0) throw this.#invalid(name, 'a duration');
    return seconds;
  }

  #invalid(name: string, expected: string): FieldError {
    return new FieldError(`${name} of ${this.#subject} must be ${expected}`);
  }
}

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
