import { describe, expect, test } from 'vitest';
import { parseSelector, SelectorError } from '../../../../src/commands/acl/lib/selector.ts';
import { patternCompiler } from '../../../../src/io/patterns.ts';

const compile = await patternCompiler();
const identity = {
  value: { project: 'web', branch: '', number: '7' },
  list: { groups: ['dev', 'ops'], none: [] },
};
const matches = (source: string): boolean => parseSelector(source, compile).matches(identity);

describe('matches as Consul does', () => {
  test.each([
    ['value.project == web', true],
    ['value.project=="web"', true],
    ['value.project == `web`', true],
    ['value["project"] == web', true],
    ['value.project != web', false],
    ['value.number == 7', true],
    ['value.branch == ""', true],
    ['"e" in value.project', true],
    ['value.project contains eb', true],
    ['value.project not contains x', true],
    ['"dev" in list.groups', true],
    ['dev in list.groups', true],
    ['de in list.groups', false],
    ['qa not in list.groups', true],
    ['list.groups contains "ops"', true],
    ['list.groups is empty', false],
    ['list.none is empty', true],
    ['list.groups is not empty', true],
    ['value.project matches "^w.b$"', true],
    ['value.project matches "(?i)^WEB"', true],
    // As RE2 has it, and JavaScript has not.
    ['value.project matches "^[[:lower:]]{3}$"', true],
    ['value.project matches "w(?i)EB"', true],
    ['value.project not matches "^api"', true],
    ['not value.project == web', false],
    ['not not value.project == web', true],
    ['value.project == api or value.project == web and value.number == 7', true],
    ['(value.project == web or value.project == api) and value.number == 8', false],
    ['value.project == and', false],
    ['project in value', true],
    ['value is empty', false],
    // Without a claim, as go-bexpr 0.1.2 of Consul 1.21 evaluates it.
    ['value.nope == a', false],
    ['value.nope != a', true],
    ['value.nope matches a', true],
    ['value.nope not matches a', true],
    ['a in value.nope', false],
    ['a not in list.nope', true],
    ['list.nope is empty', true],
    ['list.nope is not empty', false],
  ])('%s', (source, expected) => {
    expect(matches(source)).toBe(expected);
  });

  test('names the fields that it looks at', () => {
    expect(parseSelector('value.a == 1 and x in list["b"]', compile).fields).toEqual([
      ['value', 'a'],
      ['list', 'b'],
    ]);
  });
});

describe('syntax errors have a column', () => {
  test.each([
    ['value.project ==', 17, 'unexpected end'],
    ['value.project == a and', 23, 'unexpected end'],
    ['"a" == value.project', 5, 'unexpected character "="'],
    ['value.project == a-b', 19, 'unexpected character "-"'],
    ['value.project in [a]', 18, 'unexpected character "["'],
    ['(value.project == a', 20, 'unmatched parentheses'],
    ['value.project == a)', 19, 'unexpected character ")"'],
    ['value.project', 14, 'unexpected end'],
    ['value.project is blank', 18, 'unexpected character "b"'],
    ['value.project == "a', 20, 'unterminated string literal'],
    ['value.project matches "("', 23, 'invalid regular expression "("'],
    ['', 1, 'unexpected end'],
  ])('%s', (source, column, message) => {
    const error = catchError(() => parseSelector(source, compile));
    expect(error).toBeInstanceOf(SelectorError);
    expect([(error as SelectorError).column, (error as Error).message]).toEqual([column, message]);
  });
});

describe('what Consul rejects when the rule is written', () => {
  test.each([
    ['foo.x == a', 'unknown field "foo.x"'],
    ['and == a', 'unknown field "and"'],
    ['VALUE.project == a', 'unknown field "VALUE.project"'],
    ['value.project.x == a', 'unknown field "value.project.x"'],
    ['list.groups == a', '"list.groups" is a list: use "in", "contains" or "is empty"'],
    ['list.groups matches a', '"list.groups" is a list: use "in", "contains" or "is empty"'],
    ['value.project is empty', '"value.project" is a string: use == ""'],
  ])('%s', (source, message) => {
    expect(catchError(() => matches(source))).toMatchObject({ message });
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
