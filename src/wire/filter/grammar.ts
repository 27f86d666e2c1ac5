import type { Expression, MatchExpression, Operator, PlainExpression, Quantified } from './expression.ts';
import { LiteralParser } from './literals.ts';
import { ExpressionError } from './ordered-choice-parser.ts';

/** What later versions of go-bexpr added to the language of 0.1.2, which Consul has. */
export interface Additions {
  /** `any` and `all`, JSON pointers, list indexes after a dot, slashes in names (0.1.15: Boundary). */
  readonly collections?: boolean;
  /** `is nil` (0.1.16: Nomad). */
  readonly nil?: boolean;
}

const maxLength = 8192;
const maxDepth = 64;

/**
 * Parses a filter expression of go-bexpr (docs/protocol/common.md#filter-expressions): tests of selected values,
 * joined by `and`, `or`, `not` and parentheses; `not` binds tightest, then `and`. Keywords are names and values too.
 *
 * @throws ExpressionError with the text of the products; too long or too deep
 */
export function parseExpression(text: string): PlainExpression;
export function parseExpression(text: string, additions: Additions): Expression;
export function parseExpression(text: string, additions: Additions = {}): Expression {
  if (text.length > maxLength)
    throw new ExpressionError(`the expression is longer than ${maxLength} characters`);
  return new Parser(text, additions).parse();
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
const nilOperators: typeof valueOperators = [
  [['is', 'nil'], 'Is Nil'],
  [['is', 'not', 'nil'], 'Is Not Nil'],
];
const inOperators: typeof valueOperators = [
  [['in'], 'In'],
  [['not', 'in'], 'Not In'],
];

class Parser extends LiteralParser {
  readonly #additions: Additions;
  /** The parsed `or` expressions by their start, so that no part is parsed several times. */
  readonly #parsed = new Map<number, { readonly end: number; readonly expression: Expression | undefined }>();
  #depth = 0;

  constructor(text: string, additions: Additions) {
    super(text);
    this.#additions = additions;
  }

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
    const expression = this.#joined('or', () => this.#joined('and', () => this.#not())) ?? this.#quantified();
    this.#parsed.set(start, { end: this.at, expression });
    return expression;
  }

  #joined(kind: 'and' | 'or', read: () => Expression | undefined): Expression | undefined {
    const first = read();
    if (!first) return undefined;
    const parts = [first];
    for (;;) {
      const next = this.attempt(() => (this.#words([kind]) ? read() : undefined));
      if (next) {
        parts.push(next);
        continue;
      }
      const last = this.attempt(() =>
        kind === 'or' && this.#words([kind]) ? this.#quantified() : undefined,
      );
      if (last) parts.push(last);
      return parts.length === 1 ? first : { kind, parts };
    }
  }

  /** Nothing but the end of what it is in follows it. */
  #quantified(): Quantified | undefined {
    if (!this.#additions.collections) return undefined;
    return this.attempt(() => {
      const isNext = (word: string) => this.attempt(() => this.literal(word) && this.space());
      const kind = isNext('any') ? 'any' : isNext('all') ? 'all' : undefined;
      const selector = kind && this.#selector();
      const names = selector && this.#words(['as']) ? this.#bindings() : undefined;
      if (!kind || !selector || !names || !this.#mark('{')) return undefined;
      const part = this.#nested(() => this.#or());
      return part && this.optionalSpace() && this.literal('}') ? { kind, selector, names, part } : undefined;
    });
  }

  /** `_` is an index or a value without a name. */
  #bindings(): Quantified['names'] | undefined {
    const name = () => this.#identifier();
    const none = () => (this.literal('_') ? '_' : undefined);
    const pair = (readIndex: typeof name, readValue: typeof name) =>
      this.attempt(() => {
        const index = readIndex();
        const value = index !== undefined && this.#mark(',') ? readValue() : undefined;
        return index === undefined || value === undefined ? undefined : ([index, value] as const);
      });
    const pairs = pair(name, name) ?? pair(name, none) ?? pair(none, name);
    const single = pairs ? undefined : name();
    return single === undefined ? pairs : [single];
  }

  #mark(mark: string): boolean {
    return this.optionalSpace() && this.literal(mark) && this.optionalSpace();
  }

  #not(): Expression | undefined {
    return this.#nested(() => {
      const part = this.attempt(() => (this.literal('not') && this.space() ? this.#not() : undefined));
      return part ? { kind: 'not', part } : this.#parenthesized();
    });
  }

  #nested(read: () => Expression | undefined): Expression | undefined {
    if (++this.#depth > maxDepth)
      throw new ExpressionError(`the expression is nested more than ${maxDepth} levels deep`);
    const result = read();
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
        const { at } = this;
        const selector = this.#selector();
        const operator = selector && (this.#comparison() ?? this.#operator(valueOperators, true));
        const valueAt = this.at;
        const value = operator && this.#value();
        return value === undefined ? undefined : matchOf(selector, at, operator, value, valueAt);
      }) ??
      this.attempt(() => {
        const { at } = this;
        const selector = this.#selector();
        const operators = this.#additions.nil ? [...emptyOperators, ...nilOperators] : emptyOperators;
        return matchOf(selector, at, selector && this.#operator(operators, false), undefined);
      }) ??
      this.attempt(() => {
        const value = this.#value();
        const operator = value === undefined ? undefined : this.#operator(inOperators, true);
        const { at } = this;
        return operator && matchOf(this.#selector(), at, operator, value);
      }) ??
      this.attempt(() => {
        if (this.#value() === undefined || !this.#operator(inOperators, true)) return undefined;
        if (!this.absent(() => this.#selector())) return undefined;
        return this.problem('"match"', 'Invalid selector');
      })
    );
  }

  #comparison(): Operator | undefined {
    if (this.attempt(() => this.#mark('=='))) return 'Equal';
    return this.attempt(() => this.#mark('!=')) ? 'Not Equal' : undefined;
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
    if (first === undefined) return this.#additions.collections ? this.#pointer() : undefined;
    const names = [first];
    for (;;) {
      const next =
        this.attempt(() => (this.literal('.') ? this.#identifier() : undefined)) ??
        this.#index() ??
        (this.#additions.collections
          ? this.attempt(() => (this.literal('.') ? this.#characters(/^[0-9]/, '[0-9]') : undefined))
          : undefined);
      if (next === undefined) return names;
      names.push(next);
    }
  }

  /** A JSON pointer (RFC 6901) in quotes. */
  #pointer(): readonly string[] | undefined {
    return this.attempt(() => {
      if (!this.literal('"')) return undefined;
      const parts: string[] = [];
      for (;;) {
        const part = this.attempt(() =>
          this.literal('/') ? this.#characters(/^[\p{L}\p{N}\-_.~:|]/u, '[\\pL\\pN-_.~:|]') : undefined,
        );
        if (part === undefined) break;
        parts.push(part.replaceAll('~1', '/').replaceAll('~0', '~'));
      }
      return this.literal('"') ? (parts.length === 0 ? [''] : parts) : undefined;
    });
  }

  #identifier(): string | undefined {
    const start = this.at;
    if (!this.character(/^[a-zA-Z]/, '[a-zA-Z]')) return undefined;
    if (this.#additions.collections) this.#characters(/^[a-zA-Z0-9_/]/, '[a-zA-Z0-9_/]');
    else this.#characters(/^[a-zA-Z0-9_]/, '[a-zA-Z0-9_]');
    return this.text.slice(start, this.at);
  }

  /** One or more characters. */
  #characters(pattern: RegExp, label: string): string | undefined {
    const start = this.at;
    while (this.character(pattern, label));
    return this.at === start ? undefined : this.text.slice(start, this.at);
  }

  #index(): string | undefined {
    const quoted = () => (this.literal('[') && this.optionalSpace() ? this.string() : undefined);
    return (
      this.attempt(() => {
        const name = quoted();
        return name !== undefined && this.optionalSpace() && this.literal(']') ? name : undefined;
      }) ??
      this.attempt(() => {
        if (!this.literal('[') || !this.optionalSpace()) return undefined;
        return this.absent(() => this.string()) ? this.problem('"index"', 'Invalid index') : undefined;
      }) ??
      this.attempt(() => {
        if (quoted() === undefined || !this.optionalSpace()) return undefined;
        if (!this.absent(() => this.literal(']'))) return undefined;
        return this.problem('"index"', 'Unclosed index expression');
      })
    );
  }

  #value(): string | undefined {
    const start = this.at;
    const selector = this.attempt(() => this.#selector());
    // A text with a leading slash is a JSON pointer, as in go-bexpr, and loses the slash.
    return selector?.join(this.text[start] === '"' ? '/' : '.') ?? this.number() ?? this.string();
  }
}

function matchOf(
  selector: readonly string[] | undefined,
  at: number,
  operator: Operator | undefined,
  value: string | undefined,
  valueAt = at,
): MatchExpression | undefined {
  return selector && operator && { kind: 'match', selector, at, operator, value, valueAt };
}
