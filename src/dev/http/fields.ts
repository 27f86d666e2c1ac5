import { parseDuration } from '../../wire/duration.ts';
import type { Json } from '../../wire/json.ts';
import { HttpRefusal, type HttpRequest } from './service.ts';

/** A body, or a part of one, that is not of the form that it must have; the message names the member. */
export class FieldError extends Error {}

/** An object of a body; its members are found whatever their case is, as the service reads them. */
export class Fields {
  readonly #members: ReadonlyMap<string, Json>;
  readonly #what: string;

  /** @throws FieldError it is not an object */
  constructor(value: Json | undefined, what = 'the body') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new FieldError(`${what} must be an object`);
    }
    this.#what = what;
    this.#members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  }

  /** Members that are null count as absent. */
  get(name: string): Json | undefined {
    return this.#members.get(name.toLowerCase()) ?? undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Empty where it is absent. */
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

  /** 0 where it is absent. */
  integer(name: string): number {
    const value = this.get(name) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw this.#wrong(name, 'an integer');
    return value;
  }

  /** An unsigned integer of 64 bits, exactly; 0 where it is absent. */
  unsigned(name: string): number | bigint {
    const value = this.get(name) ?? 0;
    const good =
      typeof value === 'bigint'
        ? value >= 0n && value < 2n ** 64n
        : Number.isSafeInteger(value) && Number(value) >= 0;
    if (!good) throw this.#wrong(name, 'an unsigned integer of 64 bits');
    return value as number | bigint;
  }

  /** An index: exact below 2^53, where every index is. */
  index(name: string): number {
    return Number(this.unsigned(name));
  }

  object(name: string): Fields | undefined {
    return this.has(name) ? new Fields(this.get(name), name) : undefined;
  }

  /** An object that is kept as it is; undefined where it is absent. */
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

  /** A map of texts; null where it is absent. */
  textMap(name: string): { readonly [member: string]: string } | null {
    const value = this.kept(name);
    if (!value) return null;
    if (!Object.values(value).every((each) => typeof each === 'string'))
      throw this.#wrong(name, 'a map of strings');
    return value as { readonly [member: string]: string };
  }

  /** Seconds: a duration, or a number of nanoseconds; undefined where it is absent. */
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
 * @param prefix what goes before the reason when it cannot be read
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
    // What is refused for another reason than its form is refused in its own words.
    throw error instanceof FieldError ? unreadable(error) : error;
  }
}
