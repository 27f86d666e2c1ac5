import { beforeEach, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, runnerOf } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';

const { at, running } = embeddedForEach();
const role = runnerOf(at, 'acl role');
const read = async (name: string) => JSON.parse((await role(`get ${name} -o json`)).stdout);

beforeEach(async () => {
  at.env.LANYARD_REGISTRY_TOKEN = (await at.run(['acl', 'bootstrap', '--field', 'SecretID'])).stdout.trim();
  for (const name of ['deploy', 'test'])
    await at.run(['acl', 'policy', 'put', name, '--rules', `key_prefix "${name}/" { policy = "write" }`]);
});

test('creates a role, and updates the given fields', async () => {
  expect(await role('put ops --policy deploy --service-identity web --description Operators')).toMatchObject({
    code: 0,
    stdout: 'Created role ops.\n',
  });
  expect((await role('put ops --add-policy test')).stdout).toContain(
    'Updated role ops.\nPolicies\t["deploy"]\t["deploy","test"]\n',
  );
  expect(await read('ops')).toMatchObject({
    Description: 'Operators',
    Policies: [{ Name: 'deploy' }, { Name: 'test' }],
    ServiceIdentities: [{ ServiceName: 'web' }],
  });
  await role('put ops --remove-policy deploy --node-identity n1:dc1');
  expect(await read('ops')).toMatchObject({
    Policies: [{ Name: 'test' }],
    NodeIdentities: [{ NodeName: 'n1', Datacenter: 'dc1' }],
  });
  expect((await role('put ops --policy test')).stdout).toBe('Role ops is unchanged.\n');
});

test('shows and lists roles, and renames one by its ID', async () => {
  await role('put ops --policy deploy');
  await role('put dev --service-identity web:dc1');
  const { stdout } = await role('list');
  expect(stdout).toMatch(
    /^dev\t-\tservice identity web:dc1\t[\da-f-]{36}\nops\t-\tpolicy deploy\t[\da-f-]{36}\n$/,
  );
  const { ID } = await read('ops');
  expect((await role(`get ${ID}`)).stdout).toContain('name\tops\n');
  expect((await role(`put ${ID} --name operators`)).code).toBe(0);
  expect((await role('get ops')).code).toBe(3);
  expectFailure(await role('put dev --name operators'), 6, 'a role with this name already exists');
});

test.each([
  ['put ops --policy nope', 3, 'policy "nope" not found; nothing was written'],
  [
    'put 4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11 --policy deploy',
    3,
    'role "4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11" not found',
  ],
  ['put a/b --policy deploy', 2, 'invalid role name "a/b"'],
  ['put ops --node-identity n1', 2, 'invalid --node-identity "n1"'],
  ['get nope', 3, 'Run `lanyard acl role list` for the existing roles.'],
  ['delete nope --yes', 3, 'role "nope" not found'],
])('rejects "%s"', async (line, code, message) => {
  expectFailure(await role(line), code, message);
});

test.each(['role put', 'token update'])(
  'acl %s: a change that another write replaced is not reported as done',
  async (path) => {
    await role('put ops --policy deploy');
    const { AccessorID } = JSON.parse(
      (await at.run(['acl', 'token', 'create', '--policy', 'deploy', '-o', 'json'])).stdout,
    );
    const name = path === 'role put' ? 'ops' : AccessorID;
    const registry = running.addresses.registry;
    const headers = { 'X-Consul-Token': String(at.env.LANYARD_REGISTRY_TOKEN) };
    // Another update comes between the write and the response to it.
    const server = await serve(async ({ method, url, body }, response) => {
      const send = async (content: string) =>
        fetch(`${registry}${url}`, { method, headers, ...(method === 'PUT' ? { body: content } : {}) });
      const reply = await send(body);
      const text = await reply.text();
      if (method === 'PUT')
        await send(JSON.stringify({ ...JSON.parse(body), Policies: [{ Name: 'deploy' }] }));
      response
        .writeHead(reply.status, { 'Content-Type': reply.headers.get('content-type') ?? 'text/plain' })
        .end(text);
    });
    const argv = ['acl', ...path.split(' '), name, '--add-policy', 'test'];
    expectFailure(await at.run([...argv, '--address', server.url]), 9, 'another write has replaced it');
    expect(await at.run(argv)).toMatchObject({ code: 0, stderr: '' });
  },
);

test('warns of a templated policy without a name', async () => {
  const warned = 'Consul 1.21.4 servers of other datacenters crash when they replicate it';
  expect((await role('put ops --templated-policy builtin/dns')).stderr).toContain(warned);
  for (const line of ['--templated-policy builtin/service:web', '--remove-templated-policy builtin/dns'])
    expect((await role(`put ops ${line}`)).stderr).not.toContain(warned);
});

test('deletes a role after a confirmation', async () => {
  await role('put ops --policy deploy');
  expect((await role('delete ops')).stderr).toContain('Delete role "ops" (');
  expect(await role('delete ops --yes')).toMatchObject({ code: 0, stdout: 'Deleted role ops.\n' });
});

test.each([
  [
    'put ops --templated-policy builtin/nope:x',
    3,
    'templated policy "builtin/nope" not found; nothing was written',
  ],
  ['put ops --templated-policy builtin/service', 1, 'Give the name that the template requires'],
])('rejects "%s"', async (line, code, message) => {
  expectFailure(await role(line), code, message);
});
