import type { CompilePattern } from '../../../io/patterns.ts';

/** What a selector looks at: `value.project` is `{ value: { project } }`. */
export type Identity = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A selector of a binding rule that cannot be evaluated; the column counts from 1. */
export class SelectorError extends Error {
  readonly column: number;

  constructor(column: number, message: string) {
    super(message);
    this.column = column;
  }
}

/** A parsed selector: the fields that it looks at, and whether it matches an identity. */
export interface Selector {
  /** As parts: `value.project` is `['value', 'project']`. */
  readonly fields: readonly (readonly string[])[];
  /** @throws SelectorError: a field is unknown, or has another type than the operator needs */
  readonly matches: (identity: Identity) => boolean;
}

type Test = (identity: Identity) => boolean;
/** Undefined: the group of the field is known, and the field is not; a group alone is the list of its names. */
type Field = (identity: Identity) => string | readonly string[] | undefined;

interface Token {
  readonly kind: 'path' | 'number' | 'text' | 'mark' | 'end';
  readonly text: string;
  /** Parts of a path, or the content of a quoted text. */
  readonly parts: readonly string[];
  readonly column: number;
}

/** Blanks, then a path (`a.b`, `a["b"]`), a quoted text, a number, a mark, or the end. */
const tokenPattern =
  /\s*(?:([A-Za-z][\w/]*(?:\.(?:[A-Za-z][\w/]*|\d+)|\[\s*(?:"[^"]*"|`[^`]*`)\s*\])*)|("[^"]*"|`[^`]*`)|(-?\d+(?:\.\d+)?)|(==|!=|[()])|$)/y;

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (;;) {
    const offset = tokenPattern.lastIndex;
    const [all, path, quoted, number, mark] = tokenPattern.exec(source) ?? [];
    if (all === undefined) {
      const column = offset + source.slice(offset).search(/\S/) + 1;
      throw new SelectorError(column, `unexpected character "${source.charAt(column - 1)}"`);
    }
    const text = path ?? quoted ?? number ?? mark ?? '';
    const column = offset + all.length - text.length + 1;
    if (path !== undefined) tokens.push({ kind: 'path', text, parts: partsOf(path), column });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text, parts: [quoted.slice(1, -1)], column });
    else if (number !== undefined) tokens.push({ kind: 'number', text, parts: [number], column });
    else if (mark !== undefined) tokens.push({ kind: 'mark', text, parts: [], column });
    else {
      tokens.push({ kind: 'end', text: 'the end', parts: [], column });
      return tokens;
    }
  }
}

const partsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\[\s*["`]([^"`]*)["`]\s*\]|([^.[\]]+)/g)].map(([, index, name]) => index ?? name ?? '');

const keywords = ['and', 'or', 'not', 'in', 'is', 'empty', 'contains', 'matches'];

/** Parses a selector in the language of Consul: go-bexpr. @throws SelectorError */
export function parseSelector(source: string, compile: CompilePattern): Selector {
  const parser = new Parser(tokenize(source), compile);
  const matches = parser.all();
  return { fields: parser.fields, matches };
}

class Parser {
  readonly fields: (readonly string[])[] = [];
  readonly #tokens: readonly Token[];
  readonly #compile: CompilePattern;
  #position = 0;

  constructor(tokens: readonly Token[], compile: CompilePattern) {
    this.#tokens = tokens;
    this.#compile = compile;
  }

  all(): Test {
    const test = this.#or();
    if (this.#peek.kind !== 'end') throw this.#unexpected('"and", "or" or the end');
    return test;
  }

  #or(): Test {
    const left = this.#and();
    if (!this.#accept('or')) return left;
    const right = this.#or();
    return (identity) => left(identity) || right(identity);
  }

  #and(): Test {
    const left = this.#not();
    if (!this.#accept('and')) return left;
    const right = this.#and();
    return (identity) => left(identity) && right(identity);
  }

  #not(): Test {
    if (this.#accept('not')) {
      const operand = this.#not();
      return (identity) => !operand(identity);
    }
    if (!this.#accept('(')) return this.#match();
    const inner = this.#or();
    if (!this.#accept(')')) throw this.#unexpected('")"');
    return inner;
  }

  #match(): Test {
    const first = this.#take();
    if (!['path', 'text', 'number'].includes(first.kind) || keywords.includes(first.text))
      throw unexpected('a field or a value', first);
    if (this.#accept('==')) return this.#equality(first, true);
    if (this.#accept('!=')) return this.#equality(first, false);
    if (this.#accept('is')) {
      const isNegated = this.#accept('not');
      if (!this.#accept('empty')) throw this.#unexpected('"empty"');
      const field = this.#field(first);
      return (identity) => isEmptyList(field(identity), first) !== isNegated;
    }
    const isNegated = this.#accept('not');
    if (this.#accept('in')) return contains(this.#field(this.#take()), literalOf(first), isNegated);
    if (this.#accept('contains')) return contains(this.#field(first), literalOf(this.#take()), isNegated);
    if (this.#accept('matches')) return this.#matches(first, isNegated);
    throw this.#unexpected('an operator: ==, !=, in, contains, matches or "is empty"');
  }

  #equality(first: Token, isEqual: boolean): Test {
    const field = this.#field(first);
    const value = literalOf(this.#take());
    return (identity) => (textOf(field(identity), first) === value) === isEqual;
  }

  #matches(first: Token, isNegated: boolean): Test {
    const field = this.#field(first);
    const token = this.#take();
    const source = literalOf(token);
    const pattern = this.#compile(source);
    if (!pattern) throw new SelectorError(token.column, `invalid regular expression "${source}"`);
    return (identity) => {
      const text = textOf(field(identity), first);
      // Consul finds every expression, and its negation, in a field that does not exist.
      return text === undefined || pattern(text) !== isNegated;
    };
  }

  /** The value of a field of an identity. */
  #field(token: Token): Field {
    if (token.kind !== 'path' || keywords.includes(token.text)) throw unexpected('a field', token);
    this.fields.push(token.parts);
    const [group = '', name, ...rest] = token.parts;
    return (identity) => {
      const members = Object.hasOwn(identity, group) ? identity[group] : undefined;
      if (!members || rest.length > 0)
        throw new SelectorError(token.column, `unknown field "${token.parts.join('.')}"`);
      if (name === undefined) return Object.keys(members);
      return Object.hasOwn(members, name) ? members[name] : undefined;
    };
  }

  #accept(text: string): boolean {
    const { kind } = this.#peek;
    if (this.#peek.text !== text || kind === 'text') return false;
    this.#position++;
    return true;
  }

  /** Nothing is read after the end. */
  get #peek(): Token {
    return this.#tokens[this.#position] as Token;
  }

  #take(): Token {
    const token = this.#peek;
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  #unexpected(expected: string): SelectorError {
    return unexpected(expected, this.#peek);
  }
}

const unexpected = (expected: string, { text, column }: Token): SelectorError =>
  new SelectorError(column, `expected ${expected}, found ${text}`);

/** A path without quotes is a value too: `value.env == prod`. */
function literalOf(token: Token): string {
  if (!['path', 'text', 'number'].includes(token.kind)) throw unexpected('a value', token);
  return token.parts.join('.');
}

/** In a text: a part of it; in a list: an element. */
const contains =
  (field: Field, value: string, isNegated: boolean): Test =>
  (identity) =>
    (field(identity)?.includes(value) ?? false) !== isNegated;

function textOf(value: string | readonly string[] | undefined, { text, column }: Token): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new SelectorError(column, `"${text}" is a list: use "in", "contains" or "is empty"`);
}

function isEmptyList(value: string | readonly string[] | undefined, { text, column }: Token): boolean {
  if (typeof value !== 'string') return value === undefined || value.length === 0;
  throw new SelectorError(column, `"${text}" is a string: use == ""`);
}
