import {
  type Expression,
  isNegated,
  isPattern,
  type MatchExpression,
  matchesOf,
  type Quantified,
} from '../../../wire/filter/expression.ts';
import { type Additions, parseExpression } from '../../../wire/filter/grammar.ts';
import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';
import { messageOf } from '../errors.ts';
import { compilePatterns, type Pattern } from './pattern.ts';
import { WorkBudget } from './work-budget.ts';

export interface Filter {
  /** The tests and quantifiers, except on variables of the expression itself. */
  readonly uses: readonly (MatchExpression | Quantified)[];
  /**
   * The items that match. A missing value is empty, equals nothing, contains nothing, matches nothing.
   * @throws ExpressionError: too much work
   */
  select<Item extends object>(items: readonly Item[]): Item[];
  /** Reports whether one item matches. @throws ExpressionError */
  matches(item: object): boolean;
}

/** Whether an item, or a value of it, passes. @throws ExpressionError: too much work */
export type Predicate<Value = object> = (data: Value, budget: WorkBudget) => boolean;

/**
 * Parses and compiles a filter expression. Patterns have RE2 semantics: linear time in text and pattern,
 * without backtracking; and the total work is bounded.
 *
 * @param additions of the product to the language
 * @throws ExpressionError
 */
export async function compileFilter(text: string, additions: Additions): Promise<Filter> {
  const expression = parseExpression(text, additions);
  const patterns = await compilePatterns(
    matchesOf(expression).flatMap(({ operator, value = '' }) => (isPattern(operator) ? [value] : [])),
    (source, error) =>
      new ExpressionError(`invalid pattern ${JSON.stringify(source.slice(0, 80))}: ${messageOf(error)}`),
  );
  const predicate = predicateOf(expression, (match) => {
    const holds = testPredicate(match, patterns);
    const expected = !isNegated(match.operator);
    return (data, budget) => holds(valueAt(data, match.selector), budget) === expected;
  });
  const select = <Item extends object>(items: readonly Item[]) => {
    const budget = new WorkBudget();
    return items.filter((item) => predicate(item, budget));
  };
  return { uses: usesOf(expression), select, matches: (item) => select([item]).length > 0 };
}

function usesOf(expression: Expression): (MatchExpression | Quantified)[] {
  if (expression.kind === 'match') return [expression];
  if ('parts' in expression) return expression.parts.flatMap(usesOf);
  const nested = usesOf(expression.part);
  if (expression.kind === 'not') return nested;
  const { names } = expression;
  return [expression, ...nested.filter(({ selector: [first] }) => !names.some((name) => name === first))];
}

/**
 * Compiles an expression.
 *
 * @param testOf a test of an item
 */
export function predicateOf(
  expression: Expression,
  testOf: (match: MatchExpression) => Predicate,
): Predicate {
  const inner = (part: Expression) => predicateOf(part, testOf);
  switch (expression.kind) {
    case 'and': {
      const parts = expression.parts.map(inner);
      return (data, budget) => parts.every((part) => part(data, budget));
    }
    case 'or': {
      const parts = expression.parts.map(inner);
      return (data, budget) => parts.some((part) => part(data, budget));
    }
    case 'not': {
      const part = inner(expression.part);
      return (data, budget) => !part(data, budget);
    }
    case 'any':
    case 'all':
      return quantifierPredicate(expression, inner(expression.part));
    case 'match': {
      const test = testOf(expression);
      return (data, budget) => {
        budget.spend(1);
        return test(data, budget);
      };
    }
  }
}

/** The cost of binding an item to its name, in tests. */
const bindingCost = 5;

/** On an empty collection `all` is true and `any` is false. */
function quantifierPredicate({ kind, selector, names }: Quantified, part: Predicate): Predicate {
  return (data, budget) => {
    const collection = valueAt(data, selector);
    if (typeof collection !== 'object' || collection === null) return kind === 'all';
    const entries = Object.entries(collection);
    budget.spend(1 + entries.length);
    const [first, second] = names;
    const holds = ([key, value]: [string, unknown]) => {
      budget.spend(bindingCost);
      const single = Array.isArray(collection) ? value : key;
      const bindings = second === undefined ? { [first]: single } : { [first]: key, [second]: value };
      return part({ ...data, ...bindings }, budget);
    };
    return kind === 'any' ? entries.some(holds) : entries.every(holds);
  };
}

/** The test without its negation. */
function testPredicate(
  { operator, value: expected = '' }: MatchExpression,
  patterns: ReadonlyMap<string, Pattern>,
): Predicate<unknown> {
  switch (operator) {
    case 'Equal':
    case 'Not Equal':
      return (value) => equals(value, expected);
    case 'In':
    case 'Not In':
      return (value, budget) => {
        budget.spend(searchCost(value));
        return contains(value, expected);
      };
    case 'Is Empty':
    case 'Is Not Empty':
      return isEmpty;
    case 'Is Nil':
    case 'Is Not Nil':
      return (value) => value === undefined || value === null;
    case 'Matches':
    case 'Not Matches': {
      const pattern = patterns.get(expected);
      return (value, budget) => typeof value === 'string' && (pattern?.(value, budget) ?? false);
    }
  }
}

function valueAt(data: object, selector: readonly string[]): unknown {
  let at: unknown = data;
  for (const name of selector) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    if (Array.isArray(at) && name === 'length') return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

function equals(value: unknown, text: string): boolean {
  if (typeof value === 'number') return text.trim() !== '' && value === Number(text);
  if (typeof value === 'bigint') return String(value) === text;
  if (typeof value === 'boolean') return String(value) === text;
  return value === text;
}

/** True for an item of a list, a key of an object, or a substring of a text. */
function contains(value: unknown, text: string): boolean {
  if (Array.isArray(value)) return value.some((item) => equals(item, text));
  if (typeof value === 'object' && value !== null) return Object.hasOwn(value, text);
  return typeof value === 'string' && value.includes(text);
}

function searchCost(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'string' ? Math.ceil(value.length / 64) : 0;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
