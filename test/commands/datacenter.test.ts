import { beforeEach, expect, test } from 'vitest';
import { expectFailure, homeForEach } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { serve, type TestServer } from '../unit/api/support.ts';
import { id } from './query/shelf.ts';

const at = homeForEach();
let server: TestServer;
beforeEach(async () => {
  server = await serve((_seen, response) => response.writeHead(500).end());
  at.write('set.json', '[{"KV":{"Verb":"set","Key":"a","Value":"MQ=="}}]');
  at.write('get.json', '[{"KV":{"Verb":"get","Key":"a"}}]');
});
const run = (argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  at.run(argv, {
    env: { LANYARD_REGISTRY_ADDR: server.url, ...env },
    random: (length) => new Uint8Array(length),
  });
const asked = (): (string | null)[] =>
  server.seen.map(({ url }) => new URL(url, server.url).searchParams.get('dc'));

test.each([
  ['query list'],
  [`query get ${id(1)}`],
  ['query exec web'],
  ['query explain web'],
  ['query create q --service web'],
  [`query delete ${id(1)} --yes`],
  ['chain get web'],
  ['acl replication'],
  ['txn apply set.json'],
  ['txn apply get.json'],
  ['api registry GET kv/a'],
])('%s sends the datacenter of the settings, and --dc overrides it', async (line) => {
  const argv = line.split(' ');
  const env = { LANYARD_REGISTRY_DATACENTER: 'dc2' };
  await run(argv, env);
  expect(new Set(asked())).toEqual(new Set(['dc2']));
  if (argv[0] === 'api') return;
  for (const flag of ['--dc', '--datacenter']) {
    server.seen.length = 0;
    await run([...argv, flag, 'dc3'], env);
    expect(new Set(asked())).toEqual(new Set(['dc3']));
  }
});

test('a path of api with a datacenter keeps it', async () => {
  await run(['api', 'registry', 'GET', 'kv/a?dc=dc3'], { LANYARD_REGISTRY_DATACENTER: 'dc2' });
  expect(new Set(asked())).toEqual(new Set(['dc3']));
});

test('the datacenter of a profile is sent, and shown by --curl', async () => {
  await at.run(['profile', 'put', 'p', `registry.address=${server.url}`, 'registry.datacenter=dc2']);
  const { stdout } = await at.run(['query', 'list', '--curl']);
  expect(stdout).toContain('/v1/query?dc=dc2');
});

test('an operation that has no datacenter is sent without one', async () => {
  await run(['acl', 'translate-rules', '--accessor', id(1)], { LANYARD_REGISTRY_DATACENTER: 'dc2' });
  expect(new Set(asked())).toEqual(new Set([null]));
});

test('a setting that a service does not have is ignored', async () => {
  for (const [setting, those] of [
    ['box.namespace', 'secrets, registry, scheduler'],
    ['accounts.namespace', 'secrets, registry, scheduler'],
    ['secrets.region', 'scheduler'],
    ['scheduler.datacenter', 'registry'],
  ]) {
    const ran = await at.run(['profile', 'put', 'p', `${setting}=x`]);
    expectFailure(ran, 2, `setting ${setting?.split('.')[1]} is not supported by the`);
    expect(ran.stderr).toContain(`Use it with ${those}.`);
  }
  // A setting stored by an older version can be removed.
  expect((await at.run(['profile', 'put', 'p', 'box.namespace='])).code).toBe(0);
  const { stdout } = await at.run(['help', 'environment']);
  for (const name of ['SECRETS_REGION', 'BOX_NAMESPACE', 'ACCOUNTS_NAMESPACE', 'SCHEDULER_DATACENTER'])
    expect(stdout).not.toContain(name);
  for (const name of ['SCHEDULER_REGION', 'REGISTRY_DATACENTER', 'REGISTRY_NAMESPACE'])
    expect(stdout).toContain(`LANYARD_${name}`);
});
