/** Operators with the names that errors use. */
export type Operator =
  | 'Equal'
  | 'Not Equal'
  | 'In'
  | 'Not In'
  | 'Is Empty'
  | 'Is Not Empty'
  | 'Is Nil'
  | 'Is Not Nil'
  | 'Matches'
  | 'Not Matches';

/** A test of the values that a selector finds; without a value for operators that begin with `Is`. */
export interface MatchExpression {
  readonly kind: 'match';
  /** The path to a value: names or list indexes, outermost first. */
  readonly selector: readonly string[];
  /** Characters before the selector. */
  readonly at: number;
  readonly operator: Operator;
  readonly value: string | undefined;
  /** Characters before the value, if it follows the selector. */
  readonly valueAt: number;
}

/** `any` or `all` over a list or an object, with names for its items or keys. */
export interface Quantified {
  readonly kind: 'any' | 'all';
  readonly selector: readonly string[];
  /** One name: the item of a list or the key of an object. Two: index or key, and value. */
  readonly names: readonly [string] | readonly [string, string];
  readonly part: Expression;
}

interface Joined<Part> {
  readonly kind: 'and' | 'or';
  readonly parts: readonly Part[];
}

interface Negated<Part> {
  readonly kind: 'not';
  readonly part: Part;
}

/** An expression without additions to the language. */
export type PlainExpression = Joined<PlainExpression> | Negated<PlainExpression> | MatchExpression;

export type Expression = Joined<Expression> | Negated<Expression> | MatchExpression | Quantified;

/** The tests of an expression, in its order. */
export function matchesOf(expression: Expression): MatchExpression[] {
  if (expression.kind === 'match') return [expression];
  return ('parts' in expression ? expression.parts : [expression.part]).flatMap(matchesOf);
}

/** Whether the operator is the negation of another one. */
export const isNegated = (operator: Operator): boolean => operator.includes('Not ');

/** Whether the value of the operator is a regular expression. */
export const isPattern = (operator: Operator): boolean =>
  operator === 'Matches' || operator === 'Not Matches';
