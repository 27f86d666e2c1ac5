import { ExpressionError, type Token, tokenize } from './tokens.ts';

/** The path to a value: names or list indexes, outermost first. */
export type Selector = readonly string[];

export type Test =
  | { readonly operator: 'equal' | 'containing'; readonly text: string }
  | { readonly operator: 'empty' | 'nil' }
  | { readonly operator: 'matching'; readonly pattern: string };

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression }
  | { readonly kind: 'test'; readonly selector: Selector; readonly test: Test }
  | Quantified;

/** `any` or `all` over a list or an object, with names for its items or keys. */
export interface Quantified {
  readonly kind: 'any' | 'all';
  readonly selector: Selector;
  /** One name: the item of a list or the key of an object. Two: index or key, and value. */
  readonly names: readonly [string] | readonly [string, string];
  readonly part: Expression;
}

const maxDepth = 64;
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
export function parseExpression(text: string): Expression {
  const parser = new Parser(tokenize(text));
  return parser.parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const result = this.#or();
    if (this.#next.kind !== 'end') throw this.#unexpected('"and", "or" or the end');
    return result;
  }

  #or(): Expression {
    return this.#binary('or', () => this.#binary('and', () => this.#not()));
  }

  #binary(kind: 'and' | 'or', read: () => Expression): Expression {
    const first = read();
    const parts = [first];
    while (this.#accept(kind)) parts.push(read());
    return parts.length === 1 ? first : { kind, parts };
  }

  #not(): Expression {
    if (++this.#depth > maxDepth)
      throw new ExpressionError(`the expression is nested more than ${maxDepth} levels deep`);
    const result = this.#accept('not') ? negate(this.#not()) : this.#primary();
    this.#depth--;
    return result;
  }

  #primary(): Expression {
    const kind = this.#quantifier();
    if (kind) return this.#quantified(kind);
    if (!this.#accept('(')) return this.#test();
    const inner = this.#or();
    this.#expect(')');
    return inner;
  }

  /** `any` or `all` before a selector; otherwise it is an ordinary name. */
  #quantifier(): 'any' | 'all' | undefined {
    const kind = this.#isNext('any') ? 'any' : this.#isNext('all') ? 'all' : undefined;
    const { kind: after, text } = this.#peek(1);
    return after === 'text' || (after === 'word' && !operators.has(text)) ? kind : undefined;
  }

  #quantified(kind: 'any' | 'all'): Expression {
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
    if (this.#next.kind === 'number' || (this.#next.kind === 'text' && !this.#isPointerNext())) {
      return this.#inSelector(this.#take().text);
    }
    const selector = this.#selector();
    if (this.#accept('==')) return test(selector, { operator: 'equal', text: this.#value() });
    if (this.#accept('!=')) return negate(test(selector, { operator: 'equal', text: this.#value() }));
    if (this.#accept('is')) {
      const not = this.#accept('not');
      const result = test(selector, { operator: this.#nilOrEmpty() });
      return not ? negate(result) : result;
    }
    if (this.#isNext('in') || (this.#isNext('not') && this.#isNext('in', 1))) {
      return this.#inSelector(selector.join('.'));
    }
    if (this.#accept('not')) return negate(this.#operatorTest(selector));
    return this.#operatorTest(selector);
  }

  #nilOrEmpty(): 'nil' | 'empty' {
    if (this.#accept('nil')) return 'nil';
    if (this.#accept('empty')) return 'empty';
    throw this.#unexpected('"empty" or "nil"');
  }

  #operatorTest(selector: Selector): Expression {
    if (this.#accept('contains')) return test(selector, { operator: 'containing', text: this.#value() });
    if (this.#accept('matches')) return test(selector, { operator: 'matching', pattern: this.#value() });
    throw this.#unexpected('an operator');
  }

  #inSelector(text: string): Expression {
    const not = this.#accept('not');
    this.#expect('in');
    const result = test(this.#selector(), { operator: 'containing', text });
    return not ? negate(result) : result;
  }

  /** A quoted text is a pointer where no value is valid: before every operator but `in`. */
  #isPointerNext(): boolean {
    const isIn = this.#isNext('in', 1) || (this.#isNext('not', 1) && this.#isNext('in', 2));
    return this.#next.kind === 'text' && pointerPattern.test(this.#next.text) && !isIn;
  }

  #selector(): Selector {
    if (this.#next.kind === 'text' && pointerPattern.test(this.#next.text)) {
      return this.#take().text.split('/').slice(1).map(unescapePointer);
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
    const result = this.#next;
    this.#at++;
    return result;
  }

  #isNext(expected: string, ahead = 0): boolean {
    const { kind, text } = this.#peek(ahead);
    return (kind === 'word' || kind === 'mark') && text === expected;
  }

  #accept(expected: string): boolean {
    const result = this.#isNext(expected);
    if (result) this.#at++;
    return result;
  }

  #expect(expected: string): void {
    if (!this.#accept(expected)) throw this.#unexpected(`"${expected}"`);
  }

  #unexpected(expected: string): ExpressionError {
    const { kind, text, at } = this.#next;
    return new ExpressionError(
      `expected ${expected} at ${at}, found ${kind === 'end' ? text : JSON.stringify(text)}`,
    );
  }
}

const pointerPattern = /^(?:\/[\p{L}\p{N}_.~:|-]+)+$/u;

/** A part of a JSON pointer (RFC 6901). */
const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

const test = (selector: Selector, of: Test): Expression => ({ kind: 'test', selector, test: of });

const negate = (part: Expression): Expression => ({ kind: 'not', part });
