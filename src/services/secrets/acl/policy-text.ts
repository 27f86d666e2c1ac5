import { type Json, parseJson } from '../../../wire/json.ts';
import { skipSpace } from '../../core/skip-space.ts';

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
  return text.trimStart().startsWith('{') ? parseJsonPolicy(parseJson(text)) : new HclReader(text).rules();
}

function parseJsonPolicy(policy: Json): Rule[] {
  const { path, ...unknownFields } = objectFields(policy, 'a policy');
  rejectUnknownFields(unknownFields);
  const stanzas = Array.isArray(path) ? path : [path ?? {}];
  return stanzas
    .flatMap((stanza) => Object.entries(objectFields(stanza, 'path')))
    .map(([name, body]) => {
      const { capabilities: list, ...rest } = objectFields(body, `path "${name}"`);
      rejectUnknownFields(rest);
      return createRule(name, Array.isArray(list) ? list : [list ?? '']);
    });
}

function objectFields(value: Json, subject: string): { readonly [name: string]: Json } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${subject} must be an object`);
}

function rejectUnknownFields(unknownFields: { readonly [name: string]: Json }): void {
  const [name] = Object.keys(unknownFields);
  if (name !== undefined) throw new Error(`"${name}" is not supported in a policy`);
}

function createRule(path: string, list: readonly Json[]): Rule {
  const relativePath = path.startsWith('/') ? path.slice(1) : path;
  if (relativePath.slice(0, -1).includes('*'))
    throw new Error(`path "${path}": "*" is only allowed at the end`);
  if (relativePath.split('/').some((segment) => segment.includes('+') && segment !== '+')) {
    throw new Error(`path "${path}": "+" must be an entire segment`);
  }
  return { path: relativePath, capabilities: list.map((each) => parseCapability(path, each)) };
}

function parseCapability(path: string, value: Json): Capability {
  const actual = capabilities.find((each) => each === value);
  if (actual) return actual;
  throw new Error(
    `path "${path}": invalid capability ${typeof value === 'string' ? `"${value}"` : ''}`.trimEnd(),
  );
}

/** A word, a quoted string, or one punctuation character. */
const tokenPattern = /[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*"|[{}[\],=]/y;

class HclReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rules(): Rule[] {
    const rules: Rule[] = [];
    for (let keyword = this.#take(); keyword !== ''; keyword = this.#take()) {
      if (keyword !== 'path') throw this.#syntaxError(`expected "path", found ${keyword}`);
      const path = this.#quoted();
      this.#expect('{');
      rules.push(this.#withLocation(() => createRule(path, this.#body())));
    }
    return rules;
  }

  #body(): string[] {
    const list: string[] = [];
    for (let name = this.#take(); name !== '}'; name = this.#take()) {
      if (name !== 'capabilities' && name !== '"capabilities"') {
        throw this.#syntaxError(`expected "capabilities", found ${name || 'the end'}`);
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
    const actual = this.#take();
    if (actual.startsWith('"')) return this.#withLocation(() => JSON.parse(actual) as string);
    throw this.#syntaxError(`expected a quoted string, found ${actual || 'the end'}`);
  }

  #expect(expected: string): void {
    const actual = this.#take();
    if (actual !== expected) throw this.#syntaxError(`expected "${expected}", found ${actual || 'the end'}`);
  }

  #peek(): string {
    const at = this.#at;
    const actual = this.#take();
    this.#at = at;
    return actual;
  }

  /** The next token; empty at the end. */
  #take(): string {
    this.#at = skipSpace(this.#text, this.#at);
    if (this.#at === this.#text.length) return '';
    tokenPattern.lastIndex = this.#at;
    const actual = tokenPattern.exec(this.#text)?.[0];
    if (actual === undefined) throw this.#syntaxError('unexpected character');
    this.#at = tokenPattern.lastIndex;
    return actual;
  }

  #withLocation<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (error instanceof HclError) throw error;
      throw this.#syntaxError(error instanceof Error ? error.message : String(error));
    }
  }

  #syntaxError(message: string): HclError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new HclError(`line ${line}: ${message}`);
  }
}

class HclError extends Error {}
