import { describe, expect, test } from 'vitest';
import { productCommands } from '../../src/cli/help/product-commands.ts';
import { problemsOf } from '../support/command-line.ts';
import { homeForTest, quietOutputOf } from '../support/command-tests.ts';

const rows = Object.entries(productCommands).flatMap(([product, all]) =>
  all.flatMap(({ theirs, ours }) => (ours === undefined ? [] : [[`${product} ${theirs}`, ours] as const])),
);

describe('the command here for a command of the products exists, with its flags and arguments', () => {
  test.each(rows)('%s: %s', async (_theirs, ours) => {
    expect(await problemsOf(ours)).toEqual([]);
  });
});

test('every command is in one row of its product at most', () => {
  for (const [product, all] of Object.entries(productCommands)) {
    const theirs = all.map((each) => each.theirs);
    expect(
      theirs.filter((line, index) => theirs.indexOf(line) !== index),
      product,
    ).toEqual([]);
  }
});

test.each(Object.keys(productCommands))('help %s prints the table', async (product) => {
  const at = homeForTest();
  const stdout = quietOutputOf(await at.run(['help', product]));
  expect(stdout).toMatch(/^Equivalents of \w+.* commands\n/);
  const all = productCommands[product as keyof typeof productCommands];
  for (const { theirs } of all) expect(stdout).toContain(`  ${theirs}`);
});
