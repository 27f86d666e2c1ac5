import { ExpressionError } from '../../core/bexpr/tokens.ts';
import { OrderedChoiceParser } from './ordered-choice-parser.ts';
import { unquote } from './unquote.ts';

/** Operators with the names that errors use. */
export type Operator =
  | 'Equal'
  | 'Not Equal'
  | 'In'
  | 'Not In'
  | 'Is Empty'
  | 'Is Not Empty'
  | 'Matches'
  | 'Not Matches';

/** A test of the values that a selector finds; without a value for `Is Empty` and `Is Not Empty`. */
export interface MatchExpression {
  readonly kind: 'match';
  readonly selector: readonly string[];
  readonly operator: Operator;
  readonly value: string | undefined;
}

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression }
  | MatchExpression;

const maxLength = 8192;
const maxDepth = 64;

/**
 * Parses a filter expression of Consul (docs/protocol/registry.md#filters): the language of other services without
 * `any`, `all`, `is nil`, JSON pointers and list indexes, and with keywords as names and values.
 *
 * @throws ExpressionError with the text of Consul; too long or too deep
 */
export function parseExpression(text: string): Expression {
  if (text.length > maxLength)
    throw new ExpressionError(`the expression is longer than ${maxLength} characters`);
  return new Parser(text).parse();
}

/** The operators between a selector and a value, in the order in which they are tried. */
const valueOperators: readonly (readonly [readonly string[], Operator])[] = [
  [['contains'], 'In'],
  [['not', 'contains'], 'Not In'],
  [['matches'], 'Matches'],
  [['not', 'matches'], 'Not Matches'],
];
const emptyOperators: typeof valueOperators = [
  [['is', 'empty'], 'Is Empty'],
  [['is', 'not', 'empty'], 'Is Not Empty'],
];
const inOperators: typeof valueOperators = [
  [['in'], 'In'],
  [['not', 'in'], 'Not In'],
];

class Parser extends OrderedChoiceParser {
  /** The parsed `or` expressions by their start, so that no part is parsed several times. */
  readonly #parsed = new Map<number, { readonly end: number; readonly expression: Expression | undefined }>();
  #depth = 0;

  parse(): Expression {
    const expression =
      this.attempt(() => this.optionalSpace() && this.#ending(this.#group())) ??
      this.attempt(() => this.optionalSpace() && this.#ending(this.#or()));
    return this.checked(expression);
  }

  /** The expression, if nothing follows it. */
  #ending(expression: Expression | undefined): Expression | undefined {
    return expression && this.optionalSpace() && this.end() ? expression : undefined;
  }

  #or(): Expression | undefined {
    const start = this.at;
    const known = this.#parsed.get(start);
    if (known) {
      this.at = known.end;
      return known.expression;
    }
    const expression = this.#joined('or', () => this.#joined('and', () => this.#not()));
    this.#parsed.set(start, { end: this.at, expression });
    return expression;
  }

  #joined(kind: 'and' | 'or', read: () => Expression | undefined): Expression | undefined {
    const first = read();
    if (!first) return undefined;
    const parts = [first];
    for (;;) {
      const next = this.attempt(() => (this.#words([kind]) ? read() : undefined));
      if (!next) return parts.length === 1 ? first : { kind, parts };
      parts.push(next);
    }
  }

  #not(): Expression | undefined {
    if (++this.#depth > maxDepth)
      throw new ExpressionError(`the expression is nested more than ${maxDepth} levels deep`);
    const negated = this.attempt(() => (this.literal('not') && this.space() ? this.#not() : undefined));
    const result: Expression | undefined = negated ? { kind: 'not', part: negated } : this.#parenthesized();
    this.#depth--;
    return result;
  }

  #parenthesized(): Expression | undefined {
    return (
      this.attempt(() => this.#group()) ??
      this.#match() ??
      this.attempt(() => {
        if (!this.#opening() || !this.absent(() => this.literal(')'))) return undefined;
        return this.problem('"grouping"', 'Unmatched parentheses');
      })
    );
  }

  #group(): Expression | undefined {
    const expression = this.#opening();
    return expression && this.literal(')') ? expression : undefined;
  }

  #opening(): Expression | undefined {
    if (!this.literal('(') || !this.optionalSpace()) return undefined;
    const expression = this.#or();
    return expression && this.optionalSpace() ? expression : undefined;
  }

  #match(): Expression | undefined {
    return (
      this.attempt(() => {
        const selector = this.#selector();
        const operator = selector && (this.#comparison() ?? this.#operator(valueOperators, true));
        const value = operator && this.#value();
        return value === undefined ? undefined : matchOf(selector, operator, value);
      }) ??
      this.attempt(() => {
        const selector = this.#selector();
        return matchOf(selector, selector && this.#operator(emptyOperators, false), undefined);
      }) ??
      this.attempt(() => {
        const value = this.#value();
        const operator = value === undefined ? undefined : this.#operator(inOperators, true);
        return operator && matchOf(this.#selector(), operator, value);
      }) ??
      this.attempt(() => {
        if (this.#value() === undefined || !this.#operator(inOperators, true)) return undefined;
        if (!this.absent(() => this.#selector())) return undefined;
        return this.problem('"match"', 'Invalid selector');
      })
    );
  }

  #comparison(): Operator | undefined {
    const is = (mark: string) =>
      this.attempt(() => this.optionalSpace() && this.literal(mark) && this.optionalSpace());
    if (is('==')) return 'Equal';
    return is('!=') ? 'Not Equal' : undefined;
  }

  #operator(operators: typeof valueOperators, hasSpaceAfter: boolean): Operator | undefined {
    return operators.find(([words]) => this.attempt(() => this.#words(words, hasSpaceAfter)))?.[1];
  }

  /** Words with space before each of them, and perhaps after the last. */
  #words(words: readonly string[], hasSpaceAfter = true): boolean {
    return words.every((word) => this.space() && this.literal(word)) && (!hasSpaceAfter || this.space());
  }

  #selector(): readonly string[] | undefined {
    const first = this.#identifier();
    if (first === undefined) return undefined;
    const names = [first];
    for (;;) {
      const next = this.attempt(() => (this.literal('.') ? this.#identifier() : undefined)) ?? this.#index();
      if (next === undefined) return names;
      names.push(next);
    }
  }

  #identifier(): string | undefined {
    const start = this.at;
    if (!this.character(/^[a-zA-Z]/, '[a-zA-Z]')) return undefined;
    while (this.character(/^[a-zA-Z0-9_]/, '[a-zA-Z0-9_]'));
    return this.text.slice(start, this.at);
  }

  #index(): string | undefined {
    const quoted = () => (this.literal('[') && this.optionalSpace() ? this.#string() : undefined);
    return (
      this.attempt(() => {
        const name = quoted();
        return name !== undefined && this.optionalSpace() && this.literal(']') ? name : undefined;
      }) ??
      this.attempt(() => {
        if (!this.literal('[') || !this.optionalSpace()) return undefined;
        return this.absent(() => this.#string()) ? this.problem('"index"', 'Invalid index') : undefined;
      }) ??
      this.attempt(() => {
        if (quoted() === undefined || !this.optionalSpace()) return undefined;
        if (!this.absent(() => this.literal(']'))) return undefined;
        return this.problem('"index"', 'Unclosed index expression');
      })
    );
  }

  #value(): string | undefined {
    return this.attempt(() => this.#selector())?.join('.') ?? this.#number() ?? this.#string();
  }

  #number(): string | undefined {
    const start = this.at;
    const digits = () => {
      this.literal('-');
      return this.#digits();
    };
    return (
      this.attempt(() => {
        if (!digits() || !this.#isNumberEnd()) return undefined;
        return this.text.slice(start, this.at);
      }) ??
      this.attempt(() => {
        if (!digits() || !this.absent(() => this.#isNumberEnd())) return undefined;
        return this.problem('"number"', 'Invalid number literal');
      })
    );
  }

  #digits(): boolean {
    const digit = () => this.character(/^[0-9]/, '[0-9]');
    if (!this.literal('0')) {
      if (!this.character(/^[1-9]/, '[1-9]')) return false;
      while (digit());
    }
    this.attempt(() => {
      if (!this.literal('.') || !digit()) return undefined;
      while (digit());
      return true;
    });
    return true;
  }

  #isNumberEnd(): boolean {
    const start = this.at;
    const isEnd = this.space() || this.end() || this.literal(')');
    this.at = start;
    return isEnd;
  }

  #string(): string | undefined {
    const start = this.at;
    const quotes = ['`', '"'];
    const closed = quotes.some((quote) => this.attempt(() => this.#quoted(quote) && this.literal(quote)));
    if (closed) {
      const text = unquote(this.text.slice(start, this.at));
      if (text === undefined) this.problem('"string"', 'invalid syntax', start);
      return text ?? '';
    }
    return this.attempt(() => {
      if (!quotes.some((quote) => this.attempt(() => this.#quoted(quote))) || !this.end()) return undefined;
      return this.problem('"string"', 'Unterminated string literal');
    });
  }

  /** A quote and the characters after it, without the closing quote. */
  #quoted(quote: string): boolean {
    if (!this.literal(quote)) return false;
    while (this.absent(() => this.literal(quote)) && this.any());
    return true;
  }
}

function matchOf(
  selector: readonly string[] | undefined,
  operator: Operator | undefined,
  value: string | undefined,
): MatchExpression | undefined {
  return selector && operator && { kind: 'match', selector, operator, value };
}
