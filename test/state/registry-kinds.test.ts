import { beforeAll, expect, test } from 'vitest';
import type { Identity, JsonObject, Kind, Services } from '../../src/state/kind.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { setTokens } from '../support/services.ts';
import { kindOf, readExisting, resolvePath } from './bench.ts';
import { clientsOf } from './clients.ts';

const at = homeForAll();
const running = servicesForAll(at);
let clients: Services;
beforeAll(async () => {
  await setTokens(at, running);
  clients = clientsOf(at);
});

const named = (key: string): Identity => ({ scope: {}, key });
const create = (kind: Kind, identity: Identity, spec: JsonObject) =>
  kind.create(clients, { identity, spec, live: undefined, resolvePath });
const read = (kind: Kind, identity: Identity) => readExisting(clients, kind, identity);

/** The clients of a new token with these rules. */
async function clientsWith(Rules: string): Promise<Services> {
  const registry = await clients.registry();
  const { body: policy } = await registry.createPolicy({ Name: `limited-${Rules.length}`, Rules });
  const { body: token } = await registry.createToken({ Policies: [{ ID: policy.ID }] });
  return clientsOf({ ...at, env: { ...at.env, LANYARD_REGISTRY_TOKEN: token.SecretID } });
}

const oidc = {
  Type: 'oidc',
  Config: {
    OIDCDiscoveryURL: 'http://127.0.0.1:1',
    OIDCClientID: 'web',
    OIDCClientSecret: 'first',
    AllowedRedirectURIs: ['http://localhost:8250/oidc/callback'],
  },
};

test.each([
  ['registry.policy', named('twice'), { Rules: '' }],
  ['registry.role', named('twice'), {}],
  ['registry.auth-method', named('twice'), oidc],
  [
    'registry.binding-rule',
    named('twice role a'),
    { AuthMethod: 'twice', BindType: 'role', BindName: 'a', Selector: '' },
  ],
  ['registry.query', named('twice'), { Service: { Service: 'web' } }],
  ['registry.key', named('twice'), { value: 'x' }],
  ['registry.key', named('twice//'), { value: 'x' }],
] as const)('%s: an existing object is never replaced by a creation', async (name, identity, spec) => {
  const kind = kindOf(name);
  await create(kind, identity, spec as JsonObject);
  const before = await read(kind, identity);
  await expect(create(kind, identity, spec as JsonObject)).rejects.toMatchObject({ kind: 'conflict' });
  expect(await read(kind, identity)).toEqual(before);
});

test('the secret of an auth method is not read, kept by an update and replaced by another one', async () => {
  const kind = kindOf('registry.auth-method');
  const identity = named('web');
  await create(kind, identity, oidc);
  const stored = async () => {
    const { body } = await (await clients.registry()).readAuthMethod({ name: 'web' });
    return body.Config?.OIDCClientSecret;
  };
  expect(await stored()).toBe('first');
  const live = await read(kind, identity);
  expect(JSON.stringify(live)).not.toContain('first');
  const renamed = { ...live.spec, DisplayName: 'Web' };
  await kind.update(clients, { identity, spec: renamed, live, resolvePath });
  expect(await stored()).toBe('first');
  const Config = { ...(live.spec.Config as JsonObject), OIDCClientSecret: 'second' };
  await kind.update(clients, { identity, spec: { ...live.spec, Config }, live, resolvePath });
  expect(await stored()).toBe('second');
});

test.each(['registry.policy', 'registry.role'])('%s: the case of a name does not matter', async (name) => {
  const kind = kindOf(name);
  const registry = await clients.registry();
  const body = { Name: 'Mixed-Case', Description: 'first' };
  await (name === 'registry.role' ? registry.createRole(body) : registry.createPolicy(body));
  const identity = named('mixed-case');
  expect(kind.canonicalName?.('MIXED-case')).toBe('mixed-case');
  expect(await kind.list(clients)).toContainEqual(identity);
  const live = await read(kind, identity);
  const spec = { ...live.spec, Description: 'second' };
  await kind.update(clients, { identity, spec, live, resolvePath });
  const { body: updated } = await (name === 'registry.role'
    ? registry.readRoleByName({ name: 'MIXED-CASE' })
    : registry.readPolicyByName({ name: 'MIXED-CASE' }));
  expect(updated).toMatchObject({ Name: 'Mixed-Case', Description: 'second' });
});

test('binding rules with the same fields are a conflict', async () => {
  const kind = kindOf('registry.binding-rule');
  const identity = named('same service web if "a b" in value.team');
  await create(kindOf('registry.auth-method'), named('same'), oidc);
  const registry = await clients.registry();
  const rule = { AuthMethod: 'same', BindType: 'service', BindName: 'web', Selector: '"a b" in value.team' };
  const { body: first } = await registry.createBindingRule(rule);
  // Rules are listed once for a run, which is one set of clients.
  expect(await kind.read(clientsOf(at), identity)).toMatchObject({ id: first.ID });
  const { body: second } = await registry.createBindingRule(rule);
  const again = clientsOf(at);
  for (const reading of [() => kind.read(again, identity), () => kind.reader?.(again)(identity)])
    await expect(reading()).rejects.toMatchObject({
      kind: 'conflict',
      details: expect.arrayContaining([first.ID, second.ID]),
    });
  expect((await kind.list(clients)).filter(({ key }) => key === identity.key)).toHaveLength(1);
});

test('keys of binding rules are unambiguous', () => {
  const { keyOf } = kindOf('registry.binding-rule');
  const rule = { AuthMethod: 'a', BindType: 'service', BindName: `\${value.x + " if b"}` };
  expect(keyOf?.(rule)).toBe(`a service \${value.x%20+%20"%20if%20b"}`);
  expect(keyOf?.({ auth_method: 'a', bind_type: 'service', bind_name: '50%' })).toBe('a service 50%25');
});

test('a query with a hidden token cannot be read, and one of a session is never managed', async () => {
  const kind = kindOf('registry.query');
  await create(kind, named('hidden'), { Service: { Service: 'web' }, Token: 'first' });
  const limited = await clientsWith('query_prefix "" { policy = "write" }');
  await expect(kind.read(limited, named('hidden'))).rejects.toMatchObject({
    kind: 'forbidden',
    message: 'cannot read query "hidden": its token is hidden from your token',
  });
  expect(kind.isBuiltIn?.(named('bound'), { spec: { Session: 'x' }, version: '1' })).toBe(true);
  expect(kind.isBuiltIn?.(named('hidden'), await read(kind, named('hidden')))).toBe(false);
});

test('a list that leaves out objects is an error', async () => {
  await create(kindOf('registry.key'), named('other/key'), { value: 'x' });
  await create(kindOf('registry.query'), named('unseen'), { Service: { Service: 'web' } });
  const entry = { Kind: 'service-defaults', Name: 'unseen', cas: 0 };
  await (await clients.registry()).writeEntry(entry);
  const limited = await clientsWith('key_prefix "none/" { policy = "read" }');
  for (const name of ['registry.key', 'registry.query', 'registry.config-entry'])
    await expect(kindOf(name).list(limited), name).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringMatching(/^cannot list all .*: the token cannot read some of them$/),
    });
  for (const name of ['policy', 'role', 'token', 'auth-method', 'binding-rule'])
    await expect(kindOf(`registry.${name}`).list(limited), name).rejects.toMatchObject({ kind: 'forbidden' });
});
