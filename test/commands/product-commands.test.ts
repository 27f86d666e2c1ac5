import { describe, expect, test } from 'vitest';
import { productCommands } from '../../src/cli/help/product-commands.ts';
import { commonFlags, resultFlags, serviceFlags, writeFlags } from '../../src/cli/parse/globals.ts';
import { toKebabCase } from '../../src/command/command.ts';
import { tree } from '../../src/commands/tree.ts';
import { homeForTest, quietOutputOf } from '../support/command-tests.ts';

const sharedFlags = [commonFlags, resultFlags, serviceFlags, writeFlags].flatMap((group) =>
  Object.entries(group),
);
const shared = sharedFlags.map(([name]) => toKebabCase(name));

/** The command that a line begins with, and the words after it. */
function commandOf(line: string) {
  const words = line.split(' ');
  for (let length = words.length; length > 0; length -= 1) {
    const entry = tree.find(({ path }) => path === words.slice(0, length).join(' '));
    if (entry) return { entry, rest: words.slice(length) };
  }
  throw new Error(`no command: ${line}`);
}

const rows = Object.entries(productCommands).flatMap(([product, all]) =>
  all.flatMap(({ theirs, ours }) => (ours === undefined ? [] : [[`${product} ${theirs}`, ours] as const])),
);

describe('the command here for a command of the products exists, with its flags and arguments', () => {
  test.each(rows)('%s: %s', async (_theirs, ours) => {
    const { entry, rest } = commandOf(ours);
    const { args, flags } = (await entry.load()).default;
    const names = [...Object.keys(flags).map(toKebabCase), ...shared];
    const given = rest.filter((word) => /^--./.test(word)).map((word) => word.slice(2));
    expect(given.filter((name) => !names.includes(name))).toEqual([]);
    const isValue = (index: number): boolean => {
      const name = rest[index - 1] ?? '';
      if (!name.startsWith('--')) return name === '-o';
      return [...Object.entries(flags), ...sharedFlags].some(
        ([key, { value }]) => toKebabCase(key) === name.slice(2) && value,
      );
    };
    const operands = rest.filter((word, index) => !word.startsWith('-') && !isValue(index));
    const all = Object.values(args);
    const most = all.some(({ repeatable }) => repeatable) ? Number.POSITIVE_INFINITY : all.length;
    expect(operands.length).toBeGreaterThanOrEqual(all.filter(({ required }) => required).length);
    expect(operands.length).toBeLessThanOrEqual(most);
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
