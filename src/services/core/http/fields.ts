import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { HttpError, type HttpRequest } from './http-service.ts';

export type JsonObject = { readonly [name: string]: Json };

/** Conversions of a value to the type of a field; undefined: the value has another type. */
const strictTypes = {
  string: (value: Json) => (typeof value === 'string' ? value : undefined),
  boolean: (value: Json) => (typeof value === 'boolean' ? value : undefined),
  integer: (value: Json) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined),
  strings: (value: Json): string[] | undefined =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
};

/**
 * Reads the fields of an object in a body. A null field counts as missing, and unknown fields are ignored. Each
 * service defines how an invalid field is reported.
 */
abstract class FieldReader {
  readonly #values: JsonObject;
  readonly #types: typeof strictTypes;

  constructor(values: JsonObject, types = strictTypes) {
    this.#values = values;
    this.#types = types;
  }

  /** Reports a field that is not `expected`, e.g. `a string`. @returns undefined: it counts as missing */
  protected abstract invalid(name: string, expected: string, value: Json): undefined;

  /** Names of the present fields, null or not. */
  get names(): string[] {
    return Object.keys(this.#values);
  }

  get(name: string): Json | undefined {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  string(name: string): string | undefined {
    return this.convert(name, 'a string', this.#types.string);
  }

  boolean(name: string): boolean | undefined {
    return this.convert(name, 'true or false', this.#types.boolean);
  }

  integer(name: string): number | undefined {
    return this.convert(name, 'an integer', this.#types.integer);
  }

  strings(name: string): string[] | undefined {
    return this.convert(name, 'a list of strings', this.#types.strings);
  }

  rawObject(name: string): JsonObject | undefined {
    return this.convert(name, 'an object', (value) => (isObject(value) ? value : undefined));
  }

  protected convert<Value>(
    name: string,
    expected: string,
    conversion: (value: Json) => Value | undefined,
  ): Value | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : (conversion(value) ?? this.invalid(name, expected, value));
  }
}

/** A body, or a part of one, with the wrong type; the message names the field. */
export class FieldError extends Error {}

/** An object in a body of the registry or scheduler; field names are case-insensitive, as in the products. */
export class Fields extends FieldReader {
  readonly #subject: string;

  /** @throws FieldError not an object */
  constructor(value: Json | undefined, subject = 'the body') {
    if (!isObject(value)) throw new FieldError(`${subject} must be an object`);
    super(Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field])));
    this.#subject = subject;
  }

  override get(name: string): Json | undefined {
    return super.get(name.toLowerCase());
  }

  /** Empty if missing. */
  override string(name: string): string {
    return super.string(name) ?? '';
  }

  /** Several texts by their names, in this order; missing ones are empty. */
  texts<const Name extends string>(...names: readonly Name[]): { [Each in Name]: string } {
    return Object.fromEntries(names.map((name) => [name, this.string(name)])) as { [Each in Name]: string };
  }

  override boolean(name: string): boolean {
    return super.boolean(name) ?? false;
  }

  /** 0 if missing. */
  override integer(name: string): number {
    return super.integer(name) ?? 0;
  }

  /** An unsigned 64-bit integer, exactly; 0 if missing. */
  unsigned(name: string): number | bigint {
    return this.convert(name, 'an unsigned integer of 64 bits', toUnsigned) ?? 0;
  }

  /** An index; exact below 2^53, which no index exceeds. */
  index(name: string): number {
    return Number(this.unsigned(name));
  }

  object(name: string): Fields | undefined {
    return this.has(name) ? new Fields(this.get(name), name) : undefined;
  }

  list(name: string): readonly Json[] {
    return this.convert(name, 'an array', (value) => (Array.isArray(value) ? value : undefined)) ?? [];
  }

  override strings(name: string): string[] {
    this.list(name);
    return this.convert(name, 'an array of strings', strictTypes.strings) ?? [];
  }

  /** A map of strings; null if missing. */
  stringMap(name: string): { readonly [field: string]: string } | null {
    const value = this.rawObject(name);
    if (!value) return null;
    if (Object.values(value).every((each) => typeof each === 'string'))
      return value as { readonly [field: string]: string };
    return this.invalid(name, 'a map of strings');
  }

  /** Seconds, from a duration or a number of nanoseconds; undefined if missing. */
  duration(name: string): number | undefined {
    return this.convert(name, 'a duration', toSeconds);
  }

  protected override invalid(name: string, expected: string): never {
    throw new FieldError(`${name} of ${this.#subject} must be ${expected}`);
  }
}

export function toUnsigned(value: Json): number | bigint | undefined {
  if (typeof value === 'bigint') return value >= 0n && value < 2n ** 64n ? value : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function toSeconds(value: Json): number | undefined {
  const seconds =
    typeof value === 'number' ? value / 1e9 : typeof value === 'string' ? parseDuration(value) : undefined;
  return seconds === undefined || seconds < 0 ? undefined : seconds;
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
