import { formatJson, type Json } from '../../wire/json.ts';
import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import { type FieldProblem, InvalidFieldsError } from './errors.ts';

/** Maximum characters of a text, of an object's JSON, and of a body. */
const maxTextLength = 4_096;
const maxObjectLength = 65_536;
const maxBodyLength = 262_144;

/** Printable characters; a description may contain line breaks too. */
const labels = {
  name: { title: 'Name', pattern: /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u },
  description: { title: 'Description', pattern: /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{White_Space}]*$/u },
};

type JsonObject = { readonly [name: string]: Json };

/**
 * Reads an object of a request field by field, and collects the problems for one response. Null and an empty string
 * count as absent; unknown fields are ignored.
 */
export class Fields {
  readonly #values: JsonObject;
  readonly #prefix: string;
  readonly #problems: FieldProblem[];

  constructor(values: JsonObject, prefix = '', problems: FieldProblem[] = []) {
    this.#values = values;
    this.#prefix = prefix;
    this.#problems = problems;
  }

  /** Names of the fields that are present, null or not. */
  get names(): string[] {
    return Object.keys(this.#values);
  }

  has(name: string): boolean {
    return this.#value(name) !== null;
  }

  /** Null: absent. */
  string(name: string): string | null {
    const value = this.#value(name);
    if (value === null || value === '') return null;
    if (typeof value !== 'string') return this.#invalid(name, 'This field must be a string.');
    if (value.length <= maxTextLength) return value;
    return this.#invalid(name, `This field has at most ${maxTextLength} characters.`);
  }

  /** A trimmed name or description; null: absent. It must not be empty or unprintable. */
  label(name: 'name' | 'description'): string | null {
    const value = this.#value(name);
    if (typeof value !== 'string') return this.string(name);
    const label = value.trim();
    if (label === '') return this.#invalid(name, `Cannot set empty string as ${name}`);
    if (!labels[name].pattern.test(label))
      return this.#invalid(name, `${labels[name].title} contains unprintable characters`);
    return label.length <= maxTextLength
      ? label
      : this.#invalid(name, `This field has at most ${maxTextLength} characters.`);
  }

  /** A required text; empty, with a problem, if it is missing. */
  required(name: string, description = 'This is a required field.'): string {
    if (!this.has(name) || this.#value(name) === '') this.addProblem(name, description);
    return this.string(name) ?? '';
  }

  boolean(name: string): boolean | null {
    const value = this.#value(name);
    return value === null || typeof value === 'boolean'
      ? value
      : this.#invalid(name, 'This field must be true or false.');
  }

  /** An integer of at least 1. */
  positiveInteger(name: string): number | null {
    const value = this.#value(name);
    if (value === null) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    return this.#invalid(name, 'This field must be a positive integer.');
  }

  strings(name: string): string[] | null {
    const value = this.#value(name);
    if (value === null) return null;
    const strings = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    if (!Array.isArray(value) || strings.length < value.length)
      return this.#invalid(name, 'This field must be a list of strings.');
    return this.#checkSize(name, strings);
  }

  object(name: string): JsonObject | null {
    const value = this.#object(name);
    return value && this.#checkSize(name, value);
  }

  /** A nested object; empty if absent. */
  nested(name: string): Fields {
    return new Fields(this.#object(name) ?? {}, `${this.#prefix}${name}.`, this.#problems);
  }

  addProblem(name: string, description: string): void {
    this.#problems.push({ name: this.#prefix + name, description });
  }

  /** @throws InvalidFieldsError: there are problems */
  check(): void {
    if (this.#problems.length > 0) throw new InvalidFieldsError(this.#problems);
  }

  #value(name: string): Json {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? null) : null;
  }

  #object(name: string): JsonObject | null {
    const value = this.#value(name);
    if (value === null || isObject(value)) return value;
    return this.#invalid(name, 'This field must be an object.');
  }

  #checkSize<Value>(name: string, value: Value): Value | null {
    if (formatJson(value).length <= maxObjectLength) return value;
    return this.#invalid(name, `This field has at most ${maxObjectLength} characters of JSON.`);
  }

  #invalid(name: string, description: string): null {
    this.addProblem(name, description);
    return null;
  }
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a body; none for an empty body. @throws HttpError 400, 413 */
export async function readBody(request: HttpRequest): Promise<Fields> {
  if ((await request.text()).length > maxBodyLength)
    throw new HttpError(413, 'The request body is too large.');
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw new HttpError(400, 'The request body must be a JSON object.');
  return new Fields(body);
}
