import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { formatJson } from '../../src/wire/json.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { setTokens } from '../support/services.ts';
import { writeSet } from './bench.ts';

const at = homeForAll();
const running = servicesForAll(at);
beforeAll(() => setTokens(at, running));

const send = (method: string, path: string, body?: unknown) =>
  fetch(`${running.addresses.registry}/v1/${path}`, {
    method,
    headers: { 'X-Registry-Token': at.env.LANYARD_REGISTRY_TOKEN ?? '' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

interface NamedKind {
  readonly kind: string;
  /** The path and body that create an object with a name, as other clients do. */
  readonly create: (name: string) => readonly [method: string, path: string, body: JsonObject];
  /** The path of the list of them. */
  readonly list: string;
  readonly scope?: Readonly<Record<string, string>>;
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
    scope: { entryKind: 'service-defaults' },
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
  const put = (spec: JsonObject) => {
    writeSet(
      { at },
      [
        {
          kind,
          identity: { scope: object.scope ?? {}, key: stated + suffix },
          spec,
          metadata: { deletion: 'allow' },
        },
      ],
      { id },
    );
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
  const identity = { scope: {}, key: 'NewName' };
  writeSet({ at }, [{ kind: 'registry.query', identity, spec: query }], { id: 'setnewname' });
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
