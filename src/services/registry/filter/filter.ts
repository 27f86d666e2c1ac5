import {
  isNegated,
  isPattern,
  type MatchExpression,
  matchesOf,
  type Operator,
} from '../../../wire/filter/expression.ts';
import { parseExpression } from '../../../wire/filter/grammar.ts';
import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';
import { isObject } from '../../../wire/objects.ts';
import { type Predicate, predicateOf } from '../../core/bexpr/filter.ts';
import { compilePatterns, type Pattern } from '../../core/bexpr/pattern.ts';
import { WorkBudget } from '../../core/bexpr/work-budget.ts';
import { messageOf } from '../../core/errors.ts';
import { filterInSlices } from '../../core/in-slices.ts';
import { type Coerced, coerce } from './coerce.ts';
import { type Field, type FieldsByName, operatorsOf } from './fields.ts';

export interface Filter {
  /**
   * The items that match. A missing value is the empty one of its type.
   * @throws ExpressionError: too much work
   */
  select<Item extends object>(items: readonly Item[]): Promise<Item[]>;
}

type Test = Predicate<unknown>;

/**
 * Parses, checks and compiles a filter expression (docs/protocol/registry.md#filters).
 *
 * @param fields of the items
 * @throws ExpressionError with the text of Consul: syntax, an unknown selector, an operator that the field does not
 * have, a value of another type
 */
export async function compileFilter(text: string, fields: FieldsByName): Promise<Filter> {
  const expression = parseExpression(text);
  for (const match of matchesOf(expression)) checkMatch(match, fields);
  const sources = matchesOf(expression).flatMap(({ operator, value = '' }) =>
    isPattern(operator) ? [value] : [],
  );
  const patterns = await compilePatterns(sources, (source, error) => {
    const quoted = JSON.stringify(source.slice(0, 80));
    return new ExpressionError(`Failed to compile regular expression ${quoted}: ${messageOf(error)}`);
  });
  const test = predicateOf(expression, (match) => compileMatch(match, fields, patterns));
  return {
    select(items) {
      const budget = new WorkBudget();
      return filterInSlices(items, (item) => test(item, budget));
    },
  };
}

/** @throws ExpressionError */
function checkMatch({ selector, operator, value }: MatchExpression, fields: FieldsByName): void {
  const field = fieldAt(selector, fields);
  const name = JSON.stringify(selector.join('.'));
  if (!operatorsOf[field.kind].includes(operator))
    throw new ExpressionError(`Invalid match operator ${JSON.stringify(operator)} for selector ${name}`);
  if (value === undefined) return;
  const { problem } = coerce(field.kind, value);
  if (problem)
    throw new ExpressionError(
      `Failed to coerce value ${JSON.stringify(value)} for selector ${name}: ${problem}`,
    );
}

/** @throws ExpressionError */
function fieldAt(selector: readonly string[], fields: FieldsByName): Field {
  let field: Field = { kind: 'object', fields };
  for (const [at, name] of selector.entries()) {
    const next = fieldBelow(field, name);
    if (!next)
      throw new ExpressionError(
        `Selector ${JSON.stringify(selector.slice(0, at + 1).join('.'))} is not valid`,
      );
    field = next;
  }
  return field;
}

function fieldBelow(field: Field, name: string): Field | undefined {
  if ('values' in field) return field.values;
  return 'fields' in field && Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
}

/** Of a key that a map does not have. */
const matchesMissingKey = (operator: Operator): boolean =>
  operator !== 'Equal' && operator !== 'In' && operator !== 'Is Not Empty';

function compileMatch(
  { selector, operator, value }: MatchExpression,
  fields: FieldsByName,
  patterns: ReadonlyMap<string, Pattern>,
): Test {
  const last = fieldAt(selector, fields);
  const coerced = value === undefined ? undefined : coerce(last.kind, value).value;
  const holds = operatorTest(operator, coerced, patterns.get(value ?? ''));
  const test: Test = (at, budget) => holds(at, budget) !== isNegated(operator);
  const below = (field: Field, depth: number): Test => {
    const name = selector[depth];
    if (name === undefined) return test;
    if ('values' in field) {
      const next = below(field.values, depth + 1);
      return (at, budget) =>
        isObject(at) && Object.hasOwn(at, name) ? next(at[name], budget) : matchesMissingKey(operator);
    }
    const next = below(fieldBelow(field, name) ?? field, depth + 1);
    const ofObject: Test = (at, budget) =>
      next(isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined, budget);
    if (field.kind !== 'list') return ofObject;
    return (at, budget) => Array.isArray(at) && at.some((item) => ofObject(item, budget));
  };
  return below({ kind: 'object', fields }, 0);
}

/** The test without its negation. */
function operatorTest(operator: Operator, expected: Coerced | undefined, pattern: Pattern | undefined): Test {
  switch (operator) {
    case 'Equal':
    case 'Not Equal':
      return counted((value) => equals(value, expected));
    case 'In':
    case 'Not In':
      return counted((value) => contains(value, String(expected)));
    case 'Matches':
    case 'Not Matches':
      return (value, budget) => pattern?.(String(value ?? ''), budget) ?? false;
    case 'Is Empty':
    case 'Is Not Empty':
      return counted(isEmpty);
    default:
      throw new Error(`no field has the operator ${operator}`);
  }
}

/** A test that spends work in proportion to what it searches. */
function counted(test: (value: unknown) => boolean): Test {
  return (value, budget) => {
    const searched = Array.isArray(value) ? value.length : typeof value === 'string' ? value.length / 64 : 0;
    budget.spend(Math.ceil(searched));
    return test(value);
  };
}

function equals(value: unknown, expected: Coerced | undefined): boolean {
  if (typeof expected === 'bigint') return BigInt((value as number | bigint | undefined) ?? 0) === expected;
  if (typeof expected === 'boolean') return (value ?? false) === expected;
  return (value ?? '') === expected;
}

/** True for an item of a list, a key of an object, or a substring of a text. */
function contains(value: unknown, expected: string): boolean {
  if (typeof value === 'string') return value.includes(expected);
  if (Array.isArray(value)) return value.includes(expected);
  return isObject(value) ? Object.hasOwn(value, expected) : false;
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
