import { type Json, parseJson } from '../../wire/json.ts';
import { skipSpace } from '../skip-space.ts';

export const capabilities = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'recover',
  'sudo',
  'deny',
] as const;
export type Capability = (typeof capabilities)[number];

/** One `path` stanza. */
export interface Rule {
  /** Without leading slash; `+` is one segment, a final `*` matches anything. */
  readonly path: string;
  readonly capabilities: readonly Capability[];
}

/**
 * Parses a policy: JSON (`{"path": {"x": {"capabilities": ["read"]}}}`) or the equivalent HCL (`path "x" {
 * capabilities = ["read"] }`, comments with `#`, `//` or between slash-star and star-slash). Fields that
 * would restrict access further (parameters, wrapping) are rejected: ignoring them would permit what the
 * author denied.
 * @throws Error with the cause and, for HCL, the line
 */
export function parsePolicy(text: string): Rule[] {
  return text.trimStart().startsWith('{') ? fromJson(parseJson(text)) : new HclReader(text).rules();
}

function fromJson(policy: Json): Rule[] {
  const { path, ...others } = members(policy, 'a policy');
  refuseOthers(others);
  const stanzas = Array.isArray(path) ? path : [path ?? {}];
  return stanzas
    .flatMap((stanza) => Object.entries(members(stanza, 'path')))
    .map(([name, body]) => {
      const { capabilities: list, ...rest } = members(body, `path "${name}"`);
      refuseOthers(rest);
      return rule(name, Array.isArray(list) ? list : [list ?? '']);
    });
}

function members(value: Json, what: string): { readonly [name: string]: Json } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${what} must be an object`);
}

function refuseOthers(others: { readonly [name: string]: Json }): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new Error(`"${name}" is not supported in a policy`);
}

function rule(path: string, list: readonly Json[]): Rule {
  const plain = path.startsWith('/') ? path.slice(1) : path;
  if (plain.slice(0, -1).includes('*')) throw new Error(`path "${path}": "*" is only allowed at the end`);
  if (plain.split('/').some((segment) => segment.includes('+') && segment !== '+')) {
    throw new Error(`path "${path}": "+" must be an entire segment`);
  }
  return { path: plain, capabilities: list.map((each) => capability(path, each)) };
}

function capability(path: string, value: Json): Capability {
  const found = capabilities.find((each) => each === value);
  if (found) return found;
  throw new Error(
    `path "${path}": invalid capability ${typeof value === 'string' ? `"${value}"` : ''}`.trimEnd(),
  );
}

/** A word, a quoted string, or one punctuation character. */
const token = /[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*"|[{}[\],=]/y;

class HclReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rules(): Rule[] {
    const rules: Rule[] = [];
    for (let word = this.#take(); word !== ''; word = this.#take()) {
      if (word !== 'path') throw this.#wrong(`expected "path", found ${word}`);
      const path = this.#quoted();
      this.#expect('{');
      rules.push(this.#located(() => rule(path, this.#body())));
    }
    return rules;
  }

  #body(): string[] {
    const list: string[] = [];
    for (let name = this.#take(); name !== '}'; name = this.#take()) {
      if (name !== 'capabilities' && name !== '"capabilities"') {
        throw this.#wrong(`expected "capabilities", found ${name || 'the end'}`);
      }
      this.#expect('=');
      this.#expect('[');
      while (this.#peek() !== ']') {
        list.push(this.#quoted());
        if (this.#peek() !== ']') this.#expect(',');
      }
      this.#expect(']');
    }
    return list;
  }

  #quoted(): string {
    const found = this.#take();
    if (found.startsWith('"')) return this.#located(() => JSON.parse(found) as string);
    throw this.#wrong(`expected a quoted string, found ${found || 'the end'}`);
  }

  #expect(wanted: string): void {
    const found = this.#take();
    if (found !== wanted) throw this.#wrong(`expected "${wanted}", found ${found || 'the end'}`);
  }

  #peek(): string {
    const at = this.#at;
    const found = this.#take();
    this.#at = at;
    return found;
  }

  /** The next token; empty at the end. */
  #take(): string {
    this.#at = skipSpace(this.#text, this.#at);
    if (this.#at === this.#text.length) return '';
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    if (found === undefined) throw this.#wrong('unexpected character');
    this.#at = token.lastIndex;
    return found;
  }

  #located<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (error instanceof HclError) throw error;
      throw this.#wrong(error instanceof Error ? error.message : String(error));
    }
  }

  #wrong(message: string): HclError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new HclError(`line ${line}: ${message}`);
  }
}

class HclError extends Error {}
