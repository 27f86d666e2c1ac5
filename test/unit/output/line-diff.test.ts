import { expect, test } from 'vitest';
import { diffLines } from '../../../src/output/line-diff.ts';

test.each([
  ['', '', ''],
  ['a', 'a', '  a'],
  ['a', '', '- a'],
  ['', 'a', '+ a'],
  ['a b c', 'a c', '  a|- b|  c'],
  ['a c', 'a b c', '  a|+ b|  c'],
  ['a b c', 'x b y', '- a|+ x|  b|- c|+ y'],
  ['a b a b', 'b a b a', '- a|  b|  a|  b|+ a'],
])('the difference of the lines %j and %j is %j', (before, after, marked) => {
  const lines = (text: string) => (text === '' ? [] : text.split(' '));
  const diff = diffLines(lines(before), lines(after));
  expect(diff.map(({ sign, line }) => `${sign} ${line}`).join('|')).toBe(marked);
});
