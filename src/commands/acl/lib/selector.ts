import type { CompilePattern } from '../../../io/patterns.ts';
import {
  isNegated,
  type MatchExpression,
  matchesOf,
  type PlainExpression,
} from '../../../wire/filter/expression.ts';
import { parseExpression } from '../../../wire/filter/grammar.ts';
import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';

/** What a selector looks at: `value.project` is `{ value: { project } }`. */
export type Identity = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A selector of a binding rule that cannot be evaluated; the column counts from 1. */
export class SelectorError extends Error {
  readonly column: number;

  constructor(at: number, message: string) {
    super(message);
    this.column = at + 1;
  }
}

/** A parsed selector: the fields that it looks at, and whether it matches an identity. */
export interface Selector {
  /** As parts: `value.project` is `['value', 'project']`. */
  readonly fields: readonly (readonly string[])[];
  /** @throws SelectorError: a field is unknown, or has another type than the operator needs */
  readonly matches: (identity: Identity) => boolean;
}

type Test = Selector['matches'];

/** Parses a selector: a filter expression of Consul. @throws SelectorError */
export function parseSelector(source: string, compile: CompilePattern): Selector {
  const expression = parse(source);
  return {
    fields: matchesOf(expression).map(({ selector }) => selector),
    matches: testOf(expression, compile),
  };
}

function parse(source: string): PlainExpression {
  try {
    return parseExpression(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { at = 0, message } = error;
    const [, problem] = /: rule "(?!match")[a-z]+": (.+)/.exec(message) ?? [];
    const [character] = source.slice(at);
    const found = character === undefined ? 'unexpected end' : `unexpected character "${character}"`;
    throw new SelectorError(at, problem?.toLowerCase() ?? (error.at === undefined ? message : found));
  }
}

function testOf(expression: PlainExpression, compile: CompilePattern): Test {
  switch (expression.kind) {
    case 'and': {
      const parts = expression.parts.map((part) => testOf(part, compile));
      return (identity) => parts.every((part) => part(identity));
    }
    case 'or': {
      const parts = expression.parts.map((part) => testOf(part, compile));
      return (identity) => parts.some((part) => part(identity));
    }
    case 'not': {
      const part = testOf(expression.part, compile);
      return (identity) => !part(identity);
    }
    case 'match':
      return matchTest(expression, compile);
  }
}

function matchTest(match: MatchExpression, compile: CompilePattern): Test {
  const { at, operator, value = '', valueAt } = match;
  const name = match.selector.join('.');
  const textOf = (identity: Identity): string | undefined => {
    const found = fieldOf(identity, match);
    if (found === undefined || typeof found === 'string') return found;
    throw new SelectorError(at, `"${name}" is a list: use "in", "contains" or "is empty"`);
  };
  const expected = !isNegated(operator);
  switch (operator) {
    case 'Equal':
    case 'Not Equal':
      return (identity) => (textOf(identity) === value) === expected;
    case 'In':
    case 'Not In':
      // In a text: a part of it; in a list: an element.
      return (identity) => (fieldOf(identity, match)?.includes(value) ?? false) === expected;
    case 'Matches':
    case 'Not Matches': {
      const pattern = compile(value);
      if (!pattern) throw new SelectorError(valueAt, `invalid regular expression "${value}"`);
      return (identity) => {
        const text = textOf(identity);
        // Consul finds every expression, and its negation, in a field that does not exist.
        return text === undefined || pattern(text) === expected;
      };
    }
    // The grammar of selectors has no test for nil.
    default:
      return (identity) => {
        const found = fieldOf(identity, match);
        if (typeof found === 'string') throw new SelectorError(at, `"${name}" is a string: use == ""`);
        return (found === undefined || found.length === 0) === expected;
      };
  }
}

/** Undefined: the group of the field is known, and the field is not; a group alone is the list of its names. */
function fieldOf(
  identity: Identity,
  { selector, at }: MatchExpression,
): string | readonly string[] | undefined {
  const [group = '', name, ...rest] = selector;
  const members = Object.hasOwn(identity, group) ? identity[group] : undefined;
  if (!members || rest.length > 0) throw new SelectorError(at, `unknown field "${selector.join('.')}"`);
  if (name === undefined) return Object.keys(members);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
