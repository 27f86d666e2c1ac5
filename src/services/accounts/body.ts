import { formatJson } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';
import { FieldReader, type JsonObject } from '../core/http/fields.ts';
import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import { attributesMismatch, type FieldProblem, InvalidFieldsError } from './errors.ts';

/** Maximum characters of a string, of the JSON of an object or list, and of a body. */
const maxTextLength = 4_096;
const maxObjectLength = 65_536;
const maxBodyLength = 262_144;

/** Printable characters and spaces; in a description also line breaks. */
const labels = {
  name: { title: 'Name', pattern: /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u },
  description: { title: 'Description', pattern: /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{White_Space}]*$/u },
};

/**
 * An object of a request. All invalid fields are collected, so that one response reports them together. Null and
 * empty strings count as missing, and unknown fields are ignored.
 */
export class Fields extends FieldReader {
  readonly #prefix: string;
  readonly #problems: FieldProblem[];

  constructor(values: JsonObject, prefix = '', problems: FieldProblem[] = []) {
    super(values);
    this.#prefix = prefix;
    this.#problems = problems;
  }

  override string(name: string): string | undefined {
    const value = super.string(name) || undefined;
    return value === undefined ? undefined : this.#checkLength(name, value);
  }

  /** A name or description, trimmed; null: missing. It must not be empty or contain unprintable characters. */
  label(name: 'name' | 'description'): string | null {
    const value = this.get(name);
    if (typeof value !== 'string') return this.string(name) ?? null;
    const label = value.trim();
    if (label === '') this.addProblem(name, `Cannot set empty string as ${name}`);
    else if (!labels[name].pattern.test(label))
      this.addProblem(name, `${labels[name].title} contains unprintable characters`);
    else return this.#checkLength(name, label) ?? null;
    return null;
  }

  /** A required string; empty, and a problem, if it is missing. */
  required(name: string, description = 'This is a required field.'): string {
    if (!this.has(name) || this.get(name) === '') this.addProblem(name, description);
    return this.string(name) ?? '';
  }

  /** An integer from 1, as a number or, as in the JSON of Protocol Buffers, as text. */
  positiveInteger(name: string): number | undefined {
    return this.convert(name, 'a positive integer', (value) => {
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
      return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
    });
  }

  override strings(name: string): string[] | undefined {
    return this.#checkSize(name, super.strings(name));
  }

  override rawObject(name: string): JsonObject | undefined {
    return this.#checkSize(name, super.rawObject(name));
  }

  /**
   * The attributes; none if they are missing. Their problems are collected with those of this object, except that an
   * attribute of another JSON type is an error of its own.
   */
  attributes(): Fields {
    return new Fields(super.rawObject('attributes') ?? {}, 'attributes.', this.#problems);
  }

  addProblem(name: string, description: string): undefined {
    this.#problems.push({ name: this.#prefix + name, description });
  }

  /** @throws InvalidFieldsError: a field read so far is invalid */
  check(message?: string): void {
    if (this.#problems.length > 0) throw new InvalidFieldsError(this.#problems, message);
  }

  #checkLength(name: string, value: string): string | undefined {
    if (value.length <= maxTextLength) return value;
    return this.addProblem(name, `This field has at most ${maxTextLength} characters.`);
  }

  #checkSize<Value>(name: string, value: Value | undefined): Value | undefined {
    if (value === undefined || formatJson(value).length <= maxObjectLength) return value;
    return this.addProblem(name, `This field has at most ${maxObjectLength} characters of JSON.`);
  }

  protected override invalid(name: string, expected: string): undefined {
    if (this.#prefix !== '') throw attributesMismatch();
    this.addProblem(name, `This field must be ${expected}.`);
  }
}

/** The fields of a body; none without a body. @throws HttpError 400, 413 */
export async function readBody(request: HttpRequest): Promise<Fields> {
  if ((await request.text()).length > maxBodyLength)
    throw new HttpError(413, 'The request body is too large.');
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw new HttpError(400, 'The request body must be a JSON object.');
  return new Fields(body);
}
