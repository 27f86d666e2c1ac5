import { beforeAll, describe, expect, test } from 'vitest';
import { registryOperations } from '../../../src/api/registry.ts';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';

// Lists of the registry with a token that can read a part of them: the command says so, and an export is an error.

const { at, running } = embeddedForAll();
let limited = '';
beforeAll(async () => {
  const management = JSON.parse((await at.run(['acl', 'bootstrap', '-o', 'json'])).stdout).SecretID as string;
  at.env.LANYARD_REGISTRY_TOKEN = management;
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`${running.addresses.registry}/v1/${path}`, {
      method,
      headers: { 'X-Consul-Token': management },
      body: JSON.stringify(body),
    });
    expect(response.status, path).toBe(200);
    return response.json();
  };
  for (const name of ['seen', 'unseen']) {
    await send('PUT', `kv/${name}/key`, 'x');
    const checks = [{ CheckID: 'serfHealth', Name: 'serf', Status: 'passing' }];
    for (const Service of ['seen', 'unseen'])
      await send('PUT', 'catalog/register', {
        Node: name,
        Address: '10.0.0.1',
        Service: { Service },
        Checks: checks,
      });
    await send('PUT', 'session/create', { Node: name });
    await send('POST', 'query', { Name: name, Service: { Service: 'seen' } });
    await send('PUT', 'config', { Kind: 'service-defaults', Name: name, Protocol: 'http' });
  }
  const Rules = ['key', 'service', 'node', 'session', 'query']
    .map((resource) => `${resource} "seen" { policy = "read" }`)
    .join('\n');
  await send('PUT', 'acl/policy', {
    Name: 'seen',
    Rules: `${Rules}\nkey_prefix "seen/" { policy = "read" }`,
  });
  limited = ((await send('PUT', 'acl/token', { Policies: [{ Name: 'seen' }] })) as { SecretID: string })
    .SecretID;
});

/** Operations whose results the registry filters, and the lines of commands that send them. */
const lists: Readonly<Record<string, readonly (readonly string[])[]>> = {
  listKeys: [
    ['registry', 'kv', 'list'],
    ['registry', 'kv', 'list', '--recursive'],
    ['registry', 'kv', 'list', 'uns'],
  ],
  readKeys: [
    ['registry', 'kv', 'get', '--recursive', ''],
    ['registry', 'kv', 'export', '--allow-partial'],
    ['registry', 'kv', 'export', '--allow-partial', 'uns'],
  ],
  listServices: [['registry', 'service', 'list']],
  readService: [['registry', 'service', 'get', 'seen']],
  listNodes: [['registry', 'node', 'list']],
  readNode: [['registry', 'node', 'get', 'seen']],
  readNodeChecks: [],
  listEntries: [['registry', 'config', 'list', 'service-defaults']],
  listSessions: [['registry', 'session', 'list']],
  listNodeSessions: [['registry', 'session', 'list', '--node', 'unseen']],
  listQueries: [['query', 'list']],
  executeQuery: [['query', 'exec', 'seen']],
  // Live completion, which has no place for a warning.
  listAgentChecks: [],
  listAgentServices: [],
  listDatacenters: [],
  listMembers: [
    ['registry', 'member', 'list'],
    ['registry', 'member', 'list', '--wan'],
  ],
};

test('every list of the registry is here', () => {
  const known = Object.keys(registryOperations).filter(
    (name) =>
      /^(list|execute)|^read(Keys|Service|Node|NodeChecks)$/.test(name) &&
      !/Policies|Tokens|Roles|Methods|Rules/.test(name),
  );
  expect(known.sort()).toEqual(Object.keys(lists).sort());
});

const omitted = 'some results were omitted: the token has no permission to read them';

test.each(Object.values(lists).flat())('%s %s %s %s warns of what the token cannot read', async (...argv) => {
  for (const format of [[], ['-o', 'json']]) {
    const found = await at.run([...argv, ...format], { env: { LANYARD_REGISTRY_TOKEN: limited } });
    expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining(`: ${omitted}\n`) });
    expect(found.stderr.split(omitted)).toHaveLength(2);
    expect(found.stdout).not.toContain('"unseen');
    expect(await at.run([...argv, ...format])).toMatchObject({ code: 0, stderr: '' });
  }
});

test('a query that is looked up by its name is not a list', async () => {
  const env = { LANYARD_REGISTRY_TOKEN: limited };
  expect(await at.run(['query', 'get', 'seen'], { env })).toMatchObject({ code: 0, stderr: '' });
});

describe('registry kv export', () => {
  const backup = at.file('backup.json');

  test.each([
    ['some keys', [], () => limited],
    ['keys of which the token can read none', ['uns'], () => limited],
    ['keys without a token', [], () => ''],
  ])('rejects to export %s', async (_title, prefix, token) => {
    const env = { LANYARD_REGISTRY_TOKEN: token() };
    const found = await at.run(['registry', 'kv', 'export', ...prefix, '--out', backup], { env });
    expectFailure(found, 5, 'cannot export keys: the token has no permission to read some of them');
    expect(found.stderr).toContain('--allow-partial');
    expect(at.list()).not.toContain('backup.json');
  });

  test('exports what the token can read with --skip-forbidden', async () => {
    const env = { LANYARD_REGISTRY_TOKEN: limited };
    const argv = ['registry', 'kv', 'export', '--out', backup];
    expect((await at.run([...argv, '--allow-partial'], { env })).code).toBe(0);
    expect(JSON.parse(at.read('backup.json'))).toMatchObject([{ key: 'seen/key' }]);
    expect((await at.run([...argv, '--force'])).code).toBe(0);
    expect(JSON.parse(at.read('backup.json'))).toHaveLength(2);
    const within = await at.run(['registry', 'kv', 'export', 'seen/'], { env });
    expect(within).toMatchObject({ code: 0, stderr: '' });
  });
});
