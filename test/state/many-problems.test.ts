import { expect, test } from 'vitest';
import { readDocuments } from '../../src/state/documents.ts';
import { suggestKinds } from '../../src/state/kinds.ts';
import { maxExecutions } from '../support/executed.ts';

const head = 'apiVersion: lanyard/v1\n';
const numbers = (count: number): readonly number[] => [...Array(count).keys()];

/** Files with a problem in each of so many places. */
const files: Readonly<Record<string, (count: number) => string>> = {
  'unknown fields': (count) =>
    `${head}kind: registry.policy\nmetadata: {name: a}\nspec:\n${numbers(count)
      .map((number) => `  field${1000 + number}: 1\n`)
      .join('')}`,
  'secret values': (count) =>
    `${head}kind: scheduler.variable\nmetadata: {name: a}\nspec:\n  Items:\n${numbers(count)
      .map((number) => `    field${1000 + number}: x\n`)
      .join('')}`,
  'invalid references': (count) =>
    `${head}kind: scheduler.variable\nmetadata: {name: a}\nspec:\n  Items:\n${numbers(count)
      .map((number) => `    field${1000 + number}: {valueFrom: x}\n`)
      .join('')}`,
  'fields of the document': (count) =>
    `${head}kind: registry.policy\nmetadata: {name: a}\n${numbers(count)
      .map((number) => `field${1000 + number}: 1\n`)
      .join('')}`,
  'items of a list': (count) =>
    `${head}kind: registry.token\nmetadata: {name: a}\nspec:\n  Policies: [${numbers(count).join(', ')}]\n`,
  documents: (count) => `${head}kind: nothing\n---\n`.repeat(count),
  'duplicate documents': (count) =>
    `${head}kind: registry.policy\nmetadata: {name: a}\nspec: {Rules: ""}\n---\n`.repeat(count),
};

test.each(Object.entries(files))('the work for %s grows with their number', async (_what, textOf) => {
  const read = async (count: number) =>
    readDocuments([{ name: 'a.yaml', text: textOf(count) }], { allowsUnknownFields: false });
  const few = await maxExecutions(() => read(150));
  const many = await maxExecutions(async () =>
    expect((await read(600)).problems.length).toBeGreaterThan(590),
  );
  expect(many / few).toBeLessThan(4.5);
});

test('a name of any length is compared with the known ones in constant work', async () => {
  const compare = async (length: number) => suggestKinds(`x${'-y'.repeat(length)}`);
  const short = await maxExecutions(() => compare(100));
  expect(await maxExecutions(() => compare(1_000_000))).toBeLessThanOrEqual(short);
  expect(suggestKinds('registry.polcy')).toEqual(['registry.policy']);
});

test('duplicate names are errors with their position', async () => {
  const text = `${head}kind: registry.policy\nmetadata:\n  name: a\n  "name": b\nspec: {Rules: ""}\n`;
  const { problems } = await readDocuments([{ name: 'a.yaml', text }], { allowsUnknownFields: false });
  expect(problems).toEqual([
    { position: { file: 'a.yaml', line: 5, column: 3 }, message: 'not valid YAML: duplicate key' },
  ]);
});
