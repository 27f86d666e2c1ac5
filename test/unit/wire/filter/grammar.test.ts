import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Expression } from '../../../../src/wire/filter/expression.ts';
import { type Additions, parseExpression } from '../../../../src/wire/filter/grammar.ts';
import { ExpressionError } from '../../../../src/wire/filter/ordered-choice-parser.ts';

// What the parser of go-bexpr returns, recorded from its versions in Consul, Boundary and Nomad.

const { cases } = JSON.parse(readFileSync(new URL('go-bexpr.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly (readonly [string, string, string?, string?])[];
};

/** Strings as Go writes them in JSON. */
const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** An expression as the recording has it. */
function textOf(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts
        .map(textOf)
        .reduceRight((rest, first) => `(${expression.kind} ${first} ${rest})`);
    case 'not':
      // go-bexpr leaves out "not not".
      return expression.part.kind === 'not'
        ? textOf(expression.part.part)
        : `(not ${textOf(expression.part)})`;
    case 'match': {
      const { selector, operator, value } = expression;
      return `<${goJson(selector)} ${operator} ${value === undefined ? '-' : goJson(value)}>`;
    }
    default: {
      const { kind, selector, names, part } = expression;
      return `{${kind.toUpperCase()} ${goJson(selector)} ${goJson(names)} ${textOf(part)}}`;
    }
  }
}

function parsed(text: string, additions: Additions): string {
  try {
    return textOf(parseExpression(text, additions));
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

describe.each([
  ['0.1.2', {}, 1],
  ['0.1.15', { collections: true }, 2],
  ['0.1.16', { collections: true, nil: true }, 3],
] as const)('go-bexpr %s', (_version, additions, column) => {
  test.each(cases.map((row) => [row[0], row.slice(1, column + 1).at(-1)]))('%j', (text = '', expected) => {
    expect(parsed(text, additions)).toBe(expected);
  });
});
