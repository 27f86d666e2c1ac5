import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkNames } from '../../../src/commands/ssh/lib/doctor/cause.ts';
import { causes } from '../../../src/commands/ssh/lib/doctor/causes.ts';

test('the guide lists every cause of a rejected login with its check and meaning, in the order of the checks', () => {
  const guide = readFileSync('docs/guides/ssh-rejected.md', 'utf8');
  const listed = [...guide.matchAll(/^\| (\S+) +\| `(\S+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, check, name, title]) => `${check} ${name}: ${title}`,
  );
  const expected = checkNames.flatMap((check) =>
    causes.filter((cause) => cause.check === check).map(({ name, title }) => `${check} ${name}: ${title}`),
  );
  expect(listed).toEqual(expected);
});

test('every cause has a name of its own, and a test in which a real login has it', () => {
  const names = causes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const tests = globSync('test/e2e/ssh-doctor*.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(names.filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
});
