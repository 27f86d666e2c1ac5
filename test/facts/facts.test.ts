import { expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { facts } from './facts.ts';

test('every row is of a command, and its examples are those of the command', async () => {
  const paths = tree.map(({ path }) => path);
  expect(Object.keys(facts).filter((command) => !paths.includes(command))).toEqual([]);
  for (const { path, load } of tree) {
    const known = ['every', ...((await load()).default.examples ?? [])];
    const named = Object.keys(facts[path]?.examples ?? {});
    expect(
      named.filter((example) => !known.includes(example)),
      path,
    ).toEqual([]);
  }
});

test('a row says something', () => {
  expect(Object.keys(facts).filter((command) => Object.keys(facts[command] ?? {}).length === 0)).toEqual([]);
});
