import { afterAll, beforeAll, expect, test } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { type Home, home } from '../../support/run.ts';
import { services, type TestServices } from '../../support/services.ts';

let at: Home;
let running: TestServices;

const rows: readonly (readonly [line: string, sends: string])[] = [
  ['registry kv put app/new one', 'PUT /v1/kv/app/new'],
  ['registry kv delete app/key', 'DELETE /v1/kv/app/key'],
  ['registry kv delete app/ --recursive', 'DELETE /v1/kv/app/?recurse='],
  ['registry kv import keys.json', 'PUT /v1/txn'],
  ['registry config put entry.json', 'PUT /v1/config'],
  ['registry config delete service-defaults web', 'DELETE /v1/config/service-defaults/web'],
  ['registry service register web', 'PUT /v1/agent/service/register?replace-existing-checks=true'],
  ['registry service deregister api', 'PUT /v1/agent/service/deregister/api'],
];

const state = async (): Promise<string> => {
  const lines = ['registry kv export', 'registry config list -o json', 'registry service list'];
  const said = [];
  for (const line of lines) said.push((await at.run(line.split(' '))).stdout);
  return said.join();
};

beforeAll(async () => {
  at = home();
  running = await services(at);
  at.write('keys.json', '[{"key":"app/other","value":"eA=="}]');
  at.write('entry.json', '{"Kind":"service-defaults","Name":"api"}');
  at.write('web.json', '{"Kind":"service-defaults","Name":"web"}');
  for (const line of ['kv put app/key one', 'config put web.json', 'service register api'])
    expect(await at.run(['registry', ...line.split(' ')])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await running.close();
  at.remove();
});

test.each(rows)('%s with --dry-run and --curl shows the request and changes nothing', async (line, sends) => {
  const before = await state();
  const ran = await at.run([...line.split(' '), '--dry-run', '-o', 'json']);
  expect(ran).toMatchObject({ code: 0 });
  const { method, url } = JSON.parse(ran.stdout);
  expect(`${method} ${url.slice(url.indexOf('/v1/'))}`).toBe(sends);
  const curl = await at.run([...line.split(' '), '--curl']);
  expect(curl.stdout).toContain(`curl --request ${method} `);
  expect(await state()).toBe(before);
});

test('every command that writes is in the table', async () => {
  const paths: string[] = [];
  for (const { path, load } of tree)
    if (path.startsWith('registry ') && (await load()).default.writes) paths.push(path);
  expect(paths.filter((path) => !rows.some(([line]) => line.startsWith(`${path} `)))).toEqual([]);
});
