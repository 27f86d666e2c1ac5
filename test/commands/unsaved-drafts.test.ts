import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectExit, servicesForAll, words } from '../support/command-tests.ts';
import { editing, keptIn } from './editing.ts';

const { at, leftovers, editor } = editing();
servicesForAll(at);

const run = (line: string, script = '') => at.run(words(line), { env: editor(script) });
const broken = `echo ': : [' >> "$1"`;

/** Edits an object so that the text cannot be used; gives the file in which it is kept. */
async function fail(line: string): Promise<string> {
  const ran = await run(line, broken);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  return keptIn(ran.stderr);
}

test.each([
  ['kv edit', 'kv put --mount secret NAME a=one'],
  ['var edit', 'var put NAME a=one'],
])('%s keeps and names the kept texts of the same object when it succeeds', async (command, make) => {
  const target = (name: string) => (command === 'kv edit' ? `--mount secret ${name}` : name);
  for (const name of ['app', 'other']) expect((await run(make.replace('NAME', name))).code).toBe(0);
  const kept = [await fail(`${command} ${target('app')}`), await fail(`${command} ${target('app')}`)];
  const others = await fail(`${command} ${target('other')}`);
  // Unchanged, failed and only shown: nothing is removed.
  expect((await run(`${command} ${target('app')}`)).code).toBe(0);
  expect((await run(`${command} ${target('app')} --dry-run`, `sed -i 's/one/two/' "$1"`)).code).toBe(0);
  expect(leftovers()).toHaveLength(3);
  const done = await run(`${command} ${target('app')}`, `sed -i 's/one/two/' "$1"`);
  expect(done.code, done.stderr).toBe(0);
  for (const file of kept) expect(done.stderr).toContain(`${file} has the text of an earlier edit`);
  expect(kept.every(existsSync)).toBe(true);
  expect(done.stderr).not.toContain(others);
  expect(leftovers()).toHaveLength(3);
});

test('query edit keeps and names the kept texts of the same query when it succeeds', async () => {
  await run('query create --name q --service web');
  const kept = await fail('query edit q');
  const done = await run('query edit q', `sed -i 's/web/api/' "$1"`);
  expectExit(done, 0, `${kept} has the text of an earlier edit`);
  expect(existsSync(kept)).toBe(true);
});
