import { messageOf } from '../errors.ts';
import { type Expression, parseExpression, type Quantified, type Selector, type Test } from './parse.ts';
import { compilePatterns, type Pattern } from './pattern.ts';
import { ExpressionError } from './tokens.ts';
import { WorkBudget } from './work-budget.ts';

export interface Filter {
  /** The selectors it uses and what it does with each, except for its own variables. */
  readonly uses: readonly SelectorUse[];
  /** The items that match. A missing value is empty, equals, contains and matches nothing. @throws ExpressionError */
  select<Item extends object>(items: readonly Item[]): Item[];
  matches(item: object): boolean;
}

/** A selected value, and the test of it; undefined: its items are tested. */
export interface SelectorUse {
  readonly selector: Selector;
  readonly test: Test | undefined;
}

type Predicate = (data: object, budget: WorkBudget) => boolean;

/** Compiles a filter expression with RE2 patterns (linear time) and bounded work. @throws ExpressionError */
export async function compileFilter(text: string): Promise<Filter> {
  const expression = parseExpression(text);
  const predicate = predicateOf(expression, await patternsOf(testsOf(expression)));
  const select = <Item extends object>(items: readonly Item[]) => {
    const budget = new WorkBudget();
    return items.filter((item) => predicate(item, budget));
  };
  return {
    uses: usesOf(expression),
    select,
    matches: (item) => select([item]).length > 0,
  };
}

function testsOf(expression: Expression): Test[] {
  if (expression.kind === 'test') return [expression.test];
  return partsOf(expression).flatMap(testsOf);
}

function usesOf(expression: Expression): SelectorUse[] {
  if (expression.kind === 'test') return [{ selector: expression.selector, test: expression.test }];
  const nested = partsOf(expression).flatMap(usesOf);
  if (!('names' in expression)) return nested;
  const { names, selector } = expression;
  const isOwn = ({ selector: [first] }: SelectorUse): boolean => names.some((name) => name === first);
  return [{ selector, test: undefined }, ...nested.filter((use) => !isOwn(use))];
}

function partsOf(expression: Exclude<Expression, { kind: 'test' }>): readonly Expression[] {
  return 'parts' in expression ? expression.parts : [expression.part];
}

function patternsOf(tests: readonly Test[]): Promise<ReadonlyMap<string, Pattern>> {
  const sources = tests.flatMap((test) => (test.operator === 'matching' ? [test.pattern] : []));
  return compilePatterns(
    sources,
    (source, error) =>
      new ExpressionError(`invalid pattern ${JSON.stringify(source.slice(0, 80))}: ${messageOf(error)}`),
  );
}

function predicateOf(expression: Expression, patterns: ReadonlyMap<string, Pattern>): Predicate {
  switch (expression.kind) {
    case 'and': {
      const parts = expression.parts.map((part) => predicateOf(part, patterns));
      return (data, budget) => parts.every((part) => part(data, budget));
    }
    case 'or': {
      const parts = expression.parts.map((part) => predicateOf(part, patterns));
      return (data, budget) => parts.some((part) => part(data, budget));
    }
    case 'not': {
      const part = predicateOf(expression.part, patterns);
      return (data, budget) => !part(data, budget);
    }
    case 'any':
    case 'all':
      return quantifierPredicate(expression, predicateOf(expression.part, patterns));
    case 'test': {
      const { selector, test } = expression;
      const holds = testPredicate(test, patterns);
      return (data, budget) => {
        budget.spend(1);
        return holds(valueAt(data, selector), budget);
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

function testPredicate(
  test: Test,
  patterns: ReadonlyMap<string, Pattern>,
): (value: unknown, budget: WorkBudget) => boolean {
  switch (test.operator) {
    case 'equal':
      return (value) => equals(value, test.text);
    case 'containing':
      return (value, budget) => {
        budget.spend(searchCost(value));
        return contains(value, test.text);
      };
    case 'empty':
      return isEmpty;
    case 'nil':
      return (value) => value === undefined || value === null;
    case 'matching': {
      const pattern = patterns.get(test.pattern);
      return (value, budget) => typeof value === 'string' && (pattern?.(value, budget) ?? false);
    }
  }
}

function valueAt(data: object, selector: Selector): unknown {
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
