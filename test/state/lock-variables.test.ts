import { beforeEach, expect, test } from 'vitest';
import { expectExit, homeForEach, servicesForEach } from '../support/command-tests.ts';

const at = homeForEach();
servicesForEach(at);
const run = (line: string, stdin?: string) => at.run(line.split(' '), stdin === undefined ? {} : { stdin });

beforeEach(async () => {
  await run('var put app/db k=v');
  expect(await run('var lock locks/a -- true')).toMatchObject({ code: 0 });
  expect(await run('var lock locks/b -- true')).toMatchObject({ code: 0 });
});

const note = 'scheduler.variable: 2 objects without items are left out\n';

test('export leaves out variables without items and counts them', async () => {
  expectExit(await run('export state --kind scheduler.variable --secrets env'), 0, note);
  expect(at.list('state').filter((file) => file.includes('locks'))).toEqual([]);
  expect(at.list('state').some((file) => file.includes('app'))).toBe(true);
});

test('plan and apply leave out documents of variables without items, and prune none of them', async () => {
  await run('export state --kind scheduler.variable --secrets env');
  for (const name of ['locks/a', 'locks/new'])
    at.write(
      `state/${name}.json`,
      JSON.stringify({
        apiVersion: 'lanyard/v1',
        kind: 'scheduler.variable',
        metadata: { name },
        spec: { Items: {} },
      }),
    );
  expect(await run('validate state')).toMatchObject({ code: 0 });
  at.env.SCHEDULER_VARIABLE_APP_DB_ITEMS_K = 'v';
  const applied = await run('apply state --yes --adopt');
  expect(applied.code, applied.stderr + applied.stdout).toBe(0);
  expect(applied.stderr).toContain(note);
  expect(await run('var get locks/new')).toMatchObject({ code: 3 });
  expect(await run('var get locks/a')).toMatchObject({ code: 0 });
});

test('var export and var import leave out variables without items with a note', async () => {
  const exported = await run('var export out');
  expect(exported).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Wrote 1 file for 1 variable.'),
  });
  expect(exported.stderr).toContain('2 variables without items left out');
  at.write('out/locks/a.json', '{}');
  expectExit(await run('var import out'), 0, '1 variable without items left out');
});

test('export keeps items with the names constructor, toString and __proto__', async () => {
  at.write('items.json', '{"constructor":"1","toString":"2","__proto__":"3","a":"4"}');
  expect(await run('var put odd --in items.json')).toMatchObject({ code: 0 });
  expectExit(await run('export state --kind scheduler.variable --secrets env'), 0);
  const file = at.list('state').find((each) => each.includes('odd')) ?? '';
  for (const name of ['constructor', 'toString', '__proto__', 'a'])
    expect(at.read(file)).toMatch(new RegExp(`^ +"?${name}"?:\\n +valueFrom:`, 'm'));
});

test('plan and apply warn that variables of files are not in the namespace of the settings', async () => {
  await run('namespace put team');
  await run('var put app/db k=team --namespace team');
  await run('export state --kind scheduler.variable --secrets env');
  Object.assign(at.env, {
    LANYARD_SCHEDULER_NAMESPACE: 'team',
    SCHEDULER_VARIABLE_APP_DB_ITEMS_K: 'v',
    SCHEDULER_VARIABLE_TEAM_APP_DB_ITEMS_K: 'team',
  });
  const warning =
    'scheduler.namespace "team" is not used: variables without metadata.namespace are in namespace "default"\n';
  expectExit(await run('apply state --yes --adopt'), 0, warning);
  expect(await run('var get app/db --field k')).toMatchObject({ stdout: 'team\n' });
  expect(await run('var get app/db --field k --namespace default')).toMatchObject({ stdout: 'v\n' });
  at.env.LANYARD_SCHEDULER_NAMESPACE = 'default';
  expect(await run('plan state')).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('is not used'),
  });
});
