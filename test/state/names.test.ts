import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { formatJson } from '../../src/wire/json.ts';
import { home } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';

const at = home();
let running: TestServices;
let token: string;
beforeAll(async () => {
  running = await services(at);
  const { stdout } = await at.run(['acl', 'bootstrap', '-o', 'json']);
  token = JSON.parse(stdout).SecretID;
  at.env.LANYARD_REGISTRY_TOKEN = token;
});
afterAll(async () => {
  await running.close();
  at.remove();
});

const send = (method: string, path: string, body?: unknown) =>
  fetch(`${running.addresses.registry}/v1/${path}`, {
    method,
    headers: { 'X-Registry-Token': token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

interface NamedKind {
  readonly kind: string;
  /** The path and body that create an object with a name, somebody else's way. */
  readonly create: (name: string) => readonly [method: string, path: string, body: JsonObject];
  /** The path of the list of them. */
  readonly list: string;
  readonly metadata?: JsonObject;
  readonly spec: JsonObject;
  readonly changed: JsonObject;
}

const query = { Service: { Service: 'web' } };
const jwt = { Type: 'jwt', Config: { JWKSURL: 'http://127.0.0.1:1/' } };
const kinds: readonly NamedKind[] = [
  {
    kind: 'registry.query',
    list: 'query',
    create: (Name) => ['POST', 'query', { Name, ...query }],
    spec: query,
    changed: { Service: { Service: 'api' } },
  },
  {
    kind: 'registry.config-entry',
    list: 'config/service-defaults',
    create: (Name) => ['PUT', 'config', { Kind: 'service-defaults', Name, Protocol: 'tcp' }],
    metadata: { entryKind: 'service-defaults' },
    spec: { Protocol: 'tcp' },
    changed: { Protocol: 'http' },
  },
  {
    kind: 'registry.auth-method',
    list: 'acl/auth-methods',
    create: (Name) => ['PUT', 'acl/auth-method', { Name, ...jwt, Description: 'a' }],
    spec: { ...jwt, Description: 'a' },
    changed: { ...jwt, Description: 'b' },
  },
  {
    kind: 'registry.policy',
    list: 'acl/policies',
    create: (Name) => ['PUT', 'acl/policy', { Name, Rules: 'operator = "read"' }],
    spec: { Rules: 'operator = "read"' },
    changed: { Rules: 'operator = "write"' },
  },
  {
    kind: 'registry.role',
    list: 'acl/roles',
    create: (Name) => ['PUT', 'acl/role', { Name, Description: 'a' }],
    spec: { Description: 'a' },
    changed: { Description: 'b' },
  },
];
const spellings = [
  ['Foo', 'foo'],
  ['foo', 'Foo'],
  ['Foo', 'FOO'],
] as const;
const cases = kinds.flatMap((kind) => spellings.map((names) => [kind.kind, ...names, kind] as const));

test.each(cases)('%s: %s is the object that a file calls %s', async (kind, stored, stated, object) => {
  const number = cases.findIndex((each) => each[0] === kind && each[1] === stored && each[2] === stated);
  const id = `set${String(number).padStart(7, '0')}`;
  const suffix = `-n${number}-`;
  expect((await send(...object.create(stored + suffix))).status).toBe(200);
  const put = (spec: JsonObject, name = stated) => {
    at.clear('state');
    const record = `registry:lanyard/sets/${id}`;
    const set = { apiVersion: 'lanyard/v1', kind: 'Set', metadata: { name: 'test', id }, spec: { record } };
    const metadata = { name: name + suffix, deletion: 'allow', ...object.metadata };
    at.write('state/set.json', formatJson(set));
    at.write('state/object.json', formatJson({ apiVersion: 'lanyard/v1', kind, metadata, spec }));
  };
  const namesOf = async (): Promise<string[]> => {
    const listed = (await (await send('GET', object.list)).json()) as { readonly Name: string }[];
    return listed.map(({ Name }) => Name).filter((name) => name.toLowerCase().endsWith(suffix.toLowerCase()));
  };
  put(object.spec);
  expect(await at.run(['apply', 'state', '--adopt', '--yes'])).toMatchObject({ code: 0 });
  put(object.changed);
  expect(await at.run(['apply', 'state', '--yes'])).toMatchObject({ code: 0 });
  expect(await at.run(['plan', 'state'])).toMatchObject({ code: 0 });
  // Nothing was renamed, and no second one was made.
  expect(await namesOf()).toEqual([stored + suffix]);
  const { stdout } = await at.run(['export', '--kind', kind, '-']);
  expect(stdout.toLowerCase()).toContain((stored + suffix).toLowerCase());
  if (!['registry.policy', 'registry.role'].includes(kind)) expect(stdout).toContain(stored + suffix);
});

test('a new object has the name that the file states', async () => {
  at.clear('state');
  const id = 'setnewname';
  at.write(
    'state/set.json',
    formatJson({
      apiVersion: 'lanyard/v1',
      kind: 'Set',
      metadata: { name: 'test', id },
      spec: { record: `registry:lanyard/sets/${id}` },
    }),
  );
  at.write(
    'state/object.json',
    formatJson({
      apiVersion: 'lanyard/v1',
      kind: 'registry.query',
      metadata: { name: 'NewName' },
      spec: query,
    }),
  );
  expect(await at.run(['apply', 'state', '--yes'])).toMatchObject({ code: 0 });
  expect(await at.run(['plan', 'state'])).toMatchObject({ code: 0 });
  const { stdout } = await at.run(['query', 'get', 'newname', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ Name: 'NewName' });
});

test('commands find a query by its name in any case', async () => {
  const run = (...argv: string[]) => at.run(['query', ...argv]);
  expect(await run('create', '--name', 'Qq', '--service', 'web')).toMatchObject({ code: 0 });
  expect(await run('create', '--name', 'qq', '--service', 'web')).toMatchObject({ code: 6 });
  for (const name of ['Qq', 'qq', 'QQ']) {
    expect(await run('get', name), name).toMatchObject({ code: 0 });
    expect(await run('exec', name), name).toMatchObject({ code: 0 });
    expect(await run('update', name, '--only-passing'), name).toMatchObject({ code: 0 });
  }
  at.write('query.json', formatJson({ Name: 'QQ', Service: { Service: 'api' } }));
  expect(await run('put', '--file', 'query.json')).toMatchObject({ code: 0 });
  const { stdout } = await run('list', '-o', 'json');
  const named = (JSON.parse(stdout) as { Name: string }[]).filter(({ Name }) => /^qq$/i.test(Name));
  expect(named).toHaveLength(1);
  expect(await run('delete', 'qq', '--yes')).toMatchObject({ code: 0 });
  expect(await run('get', 'QQ')).toMatchObject({ code: 3 });
});
