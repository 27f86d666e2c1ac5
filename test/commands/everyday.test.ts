import { describe, expect, test } from 'vitest';
import { problemsOf } from '../support/command-line.ts';
import { everydayLines } from '../support/everyday.ts';

const all = everydayLines.flatMap(({ lines }) => lines);
const typed = all.flatMap(({ theirs, ours }) => (ours === undefined ? [] : [[theirs, ours] as const]));

test('at least 95 % of 300 everyday lines of the products have a command here', () => {
  expect(all.length).toBeGreaterThanOrEqual(300);
  const without = all.filter(({ ours }) => ours === undefined);
  expect(typed.length / all.length, without.map(({ theirs }) => theirs).join('\n')).toBeGreaterThan(0.95);
});

test('a line is there once, and a missing command has a reason', () => {
  const theirs = all.map((line) => line.theirs);
  expect(theirs.filter((line, index) => theirs.indexOf(line) !== index)).toEqual([]);
  expect(all.filter(({ ours, reason }) => (ours ?? reason) === '')).toEqual([]);
});

describe('the command for a line exists, with its flags and arguments', () => {
  test.each(typed)('%s: %s', async (_theirs, ours) => {
    expect(await problemsOf(ours)).toEqual([]);
  });
});
