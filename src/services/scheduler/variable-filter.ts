import type { MatchExpression, Quantified } from '../../wire/filter/expression.ts';
import { ExpressionError } from '../../wire/filter/ordered-choice-parser.ts';
import { compileFilter, type Filter } from '../core/bexpr/filter.ts';
import { HttpError } from '../core/http/http-service.ts';

/** The field of a stored variable that a filter can select, with its fields. */
export const metadataField = 'VariableMetadata';

/** The types of its fields, as Nomad names them; a missing lock has `invalid`. */
const types = {
  Namespace: 'string',
  Path: 'string',
  CreateIndex: 'uint64',
  CreateTime: 'int64',
  ModifyIndex: 'uint64',
  ModifyTime: 'int64',
  Lock: 'invalid',
} as const;

type Type = (typeof types)[keyof typeof types] | 'struct';

const numbers = {
  uint64: { parser: 'ParseUint', pattern: /^(\d+|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/ },
  int64: { parser: 'ParseInt', pattern: /^[+-]?(\d+|0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/ },
} as const;

/** The filter of a list. What does not fit a variable is reported, also for an empty list. @throws HttpError 400 */
export async function readVariableFilter(text: string): Promise<Filter> {
  let filter: Filter;
  try {
    filter = await compileFilter(text, { collections: true, nil: true });
  } catch (error) {
    throw filterError(error, 'failed to create result paginator: failed to read filter expression');
  }
  for (const use of filter.uses) {
    const problem = problemOf(use);
    if (problem !== undefined) throw new HttpError(400, `failed to read result page: ${problem}`);
  }
  return filter;
}

/** The error of a filter as a response. */
export const filterError = (error: unknown, message: string): unknown =>
  error instanceof ExpressionError ? new HttpError(400, `${message}: ${error.message}`) : error;

/** Why a variable cannot be tested in this way. */
function problemOf(use: MatchExpression | Quantified): string | undefined {
  const { selector } = use;
  const [first = '', second, ...rest] = selector;
  const name = selector.join('.');
  const missing = (part: number, field: string): string =>
    `error finding value in datum: /${selector.join('/')} at part ${part}: couldn't find key: struct field with name ${JSON.stringify(field)}`;
  if (first !== metadataField) return missing(0, first);
  if (second !== undefined && !Object.hasOwn(types, second)) return missing(1, second);
  const type: Type = second === undefined ? 'struct' : types[second as keyof typeof types];
  if (rest.length > 0)
    return type === 'invalid'
      ? undefined
      : `error finding value in datum: /${selector.join('/')}: at part 2, invalid value kind: ${type}`;
  if (use.kind !== 'match') return `${name} is not a list or a map`;
  const unsupported = (operations: string): string =>
    `cannot perform ${operations} operations on type ${type} for selector: "${name}"`;
  const isObject = type === 'struct' || type === 'invalid';
  switch (use.operator) {
    case 'Is Nil':
    case 'Is Not Nil':
      return isObject ? undefined : unsupported('is-nil');
    case 'Is Empty':
    case 'Is Not Empty':
      return type === 'string' ? undefined : unsupported('is-empty');
    case 'In':
    case 'Not In':
      return type === 'string' ? undefined : unsupported('in/contains');
    case 'Matches':
    case 'Not Matches':
      return type === 'string'
        ? undefined
        : `value of type ${type === 'struct' ? 'structs.VariableMetadata' : type} is not convertible to []byte`;
    case 'Equal':
    case 'Not Equal': {
      if (type === 'string') return undefined;
      if (isObject) return 'unable to find suitable primitive comparison function for matching';
      const { parser, pattern } = numbers[type];
      const { value = '' } = use;
      if (pattern.test(value)) return undefined;
      return `error getting match value in expression: strconv.${parser}: parsing ${JSON.stringify(value)}: invalid syntax`;
    }
  }
}
