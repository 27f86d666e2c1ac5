import { ExpressionError, type Token, tokensOf } from './tokens.ts';

/** The path to a value: names or list indexes, outermost first. */
export type Selector = readonly string[];

/** The test applied to a value. */
export type Test =
  | { readonly is: 'equal' | 'containing'; readonly text: string }
  | { readonly is: 'empty' | 'nil' }
  | { readonly is: 'matching'; readonly pattern: string };

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression }
  | { readonly kind: 'test'; readonly selector: Selector; readonly test: Test }
  | Collected;

/** `any` or `all` over a list or an object, with names for its items or keys. */
export interface Collected {
  readonly kind: 'any' | 'all';
  readonly selector: Selector;
  /** One name: the item of a list or the key of an object. Two: index or key, and value. */
  readonly names: readonly [string] | readonly [string, string];
  readonly part: Expression;
}

const deepest = 64;
const keywords = new Set(['and', 'or', 'not', 'in', 'contains', 'matches', 'is', 'empty']);
const operators = new Set(['in', 'not', 'is', 'contains', 'matches', 'and', 'or']);

/**
 * Parses a filter expression: tests of selected values (`==`, `!=`, `in`, `not in`, `contains`, `not
 * contains`, `is empty`, `is not empty`, `is nil`, `is not nil`, `matches`, `not matches`), or of all or any
 * items of a selected list or object (`any tags as tag { tag == web }`), joined by `and`, `or`, `not` and
 * parentheses; `not` binds tightest, then `and`. A selector is names (`a.b`, `a["b"]`, `a.0`) or a JSON
 * pointer in quotes (`"/a/b"`).
 * @throws ExpressionError with the position
 */
export function parse(text: string): Expression {
  const parser = new Parser(tokensOf(text));
  return parser.whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const found = this.#or();
    if (this.#next.kind !== 'end') throw this.#unexpected('"and", "or" or the end');
    return found;
  }

  #or(): Expression {
    return this.#joined('or', () => this.#joined('and', () => this.#not()));
  }

  #joined(kind: 'and' | 'or', read: () => Expression): Expression {
    const first = read();
    const parts = [first];
    while (this.#accept(kind)) parts.push(read());
    return parts.length === 1 ? first : { kind, parts };
  }

  #not(): Expression {
    if (++this.#depth > deepest)
      throw new ExpressionError(`the expression is nested more than ${deepest} levels deep`);
    const found = this.#accept('not') ? negated(this.#not()) : this.#single();
    this.#depth--;
    return found;
  }

  #single(): Expression {
    const kind = this.#quantifier();
    if (kind) return this.#collected(kind);
    if (!this.#accept('(')) return this.#test();
    const inner = this.#or();
    this.#expect(')');
    return inner;
  }

  /** `any` or `all` before a selector; otherwise it is an ordinary name. */
  #quantifier(): 'any' | 'all' | undefined {
    const kind = this.#sees('any') ? 'any' : this.#sees('all') ? 'all' : undefined;
    const { kind: after, text } = this.#peek(1);
    return after === 'text' || (after === 'word' && !operators.has(text)) ? kind : undefined;
  }

  #collected(kind: 'any' | 'all'): Expression {
    this.#take();
    const selector = this.#selector();
    this.#expect('as');
    const first = this.#name();
    const names = this.#accept(',') ? ([first, this.#name()] as const) : ([first] as const);
    this.#expect('{');
    const part = this.#or();
    this.#expect('}');
    return { kind, selector, names, part };
  }

  /** A value and where to search for it, or a selector and its test. */
  #test(): Expression {
    if (this.#next.kind === 'number' || (this.#next.kind === 'text' && !this.#seesPointer())) {
      return this.#inSelector(this.#take().text);
    }
    const selector = this.#selector();
    if (this.#accept('==')) return test(selector, { is: 'equal', text: this.#value() });
    if (this.#accept('!=')) return negated(test(selector, { is: 'equal', text: this.#value() }));
    if (this.#accept('is')) {
      const not = this.#accept('not');
      const found = test(selector, { is: this.#nilOrEmpty() });
      return not ? negated(found) : found;
    }
    if (this.#sees('in') || (this.#sees('not') && this.#sees('in', 1))) {
      return this.#inSelector(selector.join('.'));
    }
    if (this.#accept('not')) return negated(this.#about(selector));
    return this.#about(selector);
  }

  #nilOrEmpty(): 'nil' | 'empty' {
    if (this.#accept('nil')) return 'nil';
    if (this.#accept('empty')) return 'empty';
    throw this.#unexpected('"empty" or "nil"');
  }

  #about(selector: Selector): Expression {
    if (this.#accept('contains')) return test(selector, { is: 'containing', text: this.#value() });
    if (this.#accept('matches')) return test(selector, { is: 'matching', pattern: this.#value() });
    throw this.#unexpected('an operator');
  }

  #inSelector(text: string): Expression {
    const not = this.#accept('not');
    this.#expect('in');
    const found = test(this.#selector(), { is: 'containing', text });
    return not ? negated(found) : found;
  }

  /** A quoted text is a pointer where no value is valid: before every operator but `in`. */
  #seesPointer(): boolean {
    const isIn = this.#sees('in', 1) || (this.#sees('not', 1) && this.#sees('in', 2));
    return this.#next.kind === 'text' && pointer.test(this.#next.text) && !isIn;
  }

  #selector(): Selector {
    if (this.#next.kind === 'text' && pointer.test(this.#next.text)) {
      return this.#take().text.split('/').slice(1).map(unescaped);
    }
    if (keywords.has(this.#next.text) && this.#next.kind === 'word') throw this.#unexpected('a name');
    const names = [this.#name()];
    for (;;) {
      if (this.#accept('.')) names.push(this.#name());
      else if (this.#accept('[')) {
        if (this.#next.kind !== 'text') throw this.#unexpected('a quoted name');
        names.push(this.#take().text);
        this.#expect(']');
      } else return names;
    }
  }

  #name(): string {
    if (this.#next.kind !== 'word') throw this.#unexpected('a name');
    return this.#take().text;
  }

  /** A text, a number, or an unquoted word. */
  #value(): string {
    const { kind } = this.#next;
    if (kind === 'text' || kind === 'number') return this.#take().text;
    if (kind !== 'word') throw this.#unexpected('a value');
    return this.#selector().join('.');
  }

  get #next(): Token {
    return this.#peek(0);
  }

  #peek(ahead: number): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  #take(): Token {
    const found = this.#next;
    this.#at++;
    return found;
  }

  #sees(wanted: string, ahead = 0): boolean {
    const { kind, text } = this.#peek(ahead);
    return (kind === 'word' || kind === 'mark') && text === wanted;
  }

  #accept(wanted: string): boolean {
    const found = this.#sees(wanted);
    if (found) this.#at++;
    return found;
  }

  #expect(wanted: string): void {
    if (!this.#accept(wanted)) throw this.#unexpected(`"${wanted}"`);
  }

  #unexpected(wanted: string): ExpressionError {
    const { kind, text, at } = this.#next;
    return new ExpressionError(
      `expected ${wanted} at ${at}, found ${kind === 'end' ? text : JSON.stringify(text)}`,
    );
  }
}

const pointer = /^(?:\/[\p{L}\p{N}_.~:|-]+)+$/u;

/** A part of a JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function test(selector: Selector, of: Test): Expression {
  return { kind: 'test', selector, test: of };
}

function negated(part: Expression): Expression {
  return { kind: 'not', part };
}
