import { formatJson, type Json } from '../../../wire/json.ts';
import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { type FieldProblem, FieldRefusal } from './refusals.ts';

/** Characters of a text, of an object's JSON, and of a body: none of them holds anybody up. */
const longestText = 4_096;
const longestObject = 65_536;
const longestBody = 262_144;

/** What can be printed, and in a description the space between lines too. */
const labels = {
  name: { title: 'Name', form: /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u },
  description: { title: 'Description', form: /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{White_Space}]*$/u },
};

type Members = { readonly [name: string]: Json };

/**
 * An object of a request, read member by member. What is wrong with any of them is gathered, so that one answer
 * tells it all. Null and empty text count as absent; members that nobody asks for are ignored.
 */
export class Fields {
  readonly #members: Members;
  readonly #prefix: string;
  readonly #problems: FieldProblem[];

  constructor(members: Members, prefix = '', problems: FieldProblem[] = []) {
    this.#members = members;
    this.#prefix = prefix;
    this.#problems = problems;
  }

  /** Names of the members that are there, null or not. */
  get names(): string[] {
    return Object.keys(this.#members);
  }

  has(name: string): boolean {
    return this.#value(name) !== null;
  }

  /** Null: absent. */
  text(name: string): string | null {
    const value = this.#value(name);
    if (value === null || value === '') return null;
    if (typeof value !== 'string') return this.#wrong(name, 'This field must be a string.');
    if (value.length <= longestText) return value;
    return this.#wrong(name, `This field has at most ${longestText} characters.`);
  }

  /** A name or description, without the space around it; null: absent. What is left may not be empty or unprintable. */
  label(name: 'name' | 'description'): string | null {
    const value = this.#value(name);
    if (typeof value !== 'string') return this.text(name);
    const label = value.trim();
    if (label === '') return this.#wrong(name, `Cannot set empty string as ${name}`);
    if (!labels[name].form.test(label))
      return this.#wrong(name, `${labels[name].title} contains unprintable characters`);
    return label.length <= longestText
      ? label
      : this.#wrong(name, `This field has at most ${longestText} characters.`);
  }

  /** A text that must be there; empty, and a problem, where it is not. */
  required(name: string, description = 'This is a required field.'): string {
    if (!this.has(name) || this.#value(name) === '') this.problem(name, description);
    return this.text(name) ?? '';
  }

  boolean(name: string): boolean | null {
    const value = this.#value(name);
    return value === null || typeof value === 'boolean'
      ? value
      : this.#wrong(name, 'This field must be true or false.');
  }

  /** A whole number from 1 on. */
  count(name: string): number | null {
    const value = this.#value(name);
    if (value === null) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    return this.#wrong(name, 'This field must be a positive integer.');
  }

  texts(name: string): string[] | null {
    const value = this.#value(name);
    if (value === null) return null;
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    if (!Array.isArray(value) || texts.length < value.length)
      return this.#wrong(name, 'This field must be a list of strings.');
    return this.#fits(name, texts);
  }

  object(name: string): Members | null {
    const value = this.#object(name);
    return value && this.#fits(name, value);
  }

  /** An object whose members are read in their turn; empty where it is absent. */
  inner(name: string): Fields {
    return new Fields(this.#object(name) ?? {}, `${this.#prefix}${name}.`, this.#problems);
  }

  problem(name: string, description: string): void {
    this.#problems.push({ name: this.#prefix + name, description });
  }

  /** @throws FieldRefusal: something was wrong with what was read so far */
  check(): void {
    if (this.#problems.length > 0) throw new FieldRefusal(this.#problems);
  }

  #value(name: string): Json {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? null) : null;
  }

  #object(name: string): Members | null {
    const value = this.#value(name);
    if (value === null || isObject(value)) return value;
    return this.#wrong(name, 'This field must be an object.');
  }

  #fits<Value>(name: string, value: Value): Value | null {
    if (formatJson(value).length <= longestObject) return value;
    return this.#wrong(name, `This field has at most ${longestObject} characters of JSON.`);
  }

  #wrong(name: string, description: string): null {
    this.problem(name, description);
    return null;
  }
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a body; none where there is none. @throws HttpRefusal 400, 413 */
export async function bodyOf(request: HttpRequest): Promise<Fields> {
  if ((await request.text()).length > longestBody)
    throw new HttpRefusal(413, 'The request body is too large.');
  const body = (await request.json()) ?? {};
  if (!isObject(body)) throw new HttpRefusal(400, 'The request body must be a JSON object.');
  return new Fields(body);
}
