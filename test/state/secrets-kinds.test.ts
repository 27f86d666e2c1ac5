import { beforeAll, expect, test } from 'vitest';
import type { Identity, JsonObject, Kind, Services } from '../../src/state/kind.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { kindOf, readExisting, resolvePath } from './bench.ts';
import { clientsOf } from './clients.ts';

const at = homeForAll();
servicesForAll(at);
let clients: Services;
beforeAll(async () => {
  clients = clientsOf(at);
});

const kv = kindOf('secrets.kv');
const inSecret = (key: string): Identity => ({ scope: { mount: 'secret' }, key });
const create = (kind: Kind, identity: Identity, spec: JsonObject) =>
  kind.create(clients, { identity, spec, live: undefined, resolvePath });
const read = (kind: Kind, identity: Identity) => readExisting(clients, kind, identity);
/** The clients of a new token with a policy. */
async function clientsWith(policy: string): Promise<Services> {
  const secrets = await clients.secrets();
  await secrets.writePolicy({ name: 'limited', policy });
  const { body } = await secrets.write({ path: 'auth/token/create', content: '{"policies":["limited"]}' });
  const { auth } = body as unknown as { readonly auth: { readonly client_token: string } };
  return clientsOf({ ...at, env: { ...at.env, LANYARD_SECRETS_TOKEN: auth.client_token } });
}

test.each([
  ['secrets.kv', inSecret('twice'), { data: { a: '1' } }],
  ['secrets.kv-metadata', inSecret('twice'), { custom_metadata: { a: '1' } }],
  ['secrets.policy', { scope: {}, key: 'twice' }, { policy: 'path "a" { capabilities = ["read"] }' }],
  ['secrets.mount', { scope: {}, key: 'twice/' }, { type: 'ssh' }],
  [
    'secrets.ssh-ca',
    { scope: { mount: 'twice' }, key: '' },
    { generate_signing_key: true, key_type: 'ed25519' },
  ],
  ['secrets.ssh-role', { scope: { mount: 'twice' }, key: 'a' }, { key_type: 'otp', default_user: 'a' }],
  ['secrets.ssh-zero-address', { scope: { mount: 'twice' }, key: '' }, { roles: ['a'] }],
  ['secrets.auth-method', { scope: {}, key: 'twice/' }, { type: 'userpass' }],
] as const)('%s: an existing object is never replaced by a creation', async (name, identity, spec) => {
  const kind = kindOf(name);
  await create(kind, identity, spec as JsonObject);
  const before = await read(kind, identity);
  await expect(create(kind, identity, spec as JsonObject)).rejects.toMatchObject({ kind: 'conflict' });
  expect(await read(kind, identity)).toEqual(before);
});

test('a deleted secret does not exist, and is created again with the next version', async () => {
  const identity = inSecret('again/db');
  await create(kv, identity, { data: { a: '1' } });
  await kv.remove(clients, identity, await read(kv, identity));
  expect(await kv.read(clients, identity)).toBeUndefined();
  expect(await kv.list(clients)).not.toContainEqual(identity);
  await create(kv, identity, { data: { a: '2' } });
  expect(await read(kv, identity)).toEqual({ spec: { data: { a: '2' } }, version: '2' });
});

test('a secret whose deletion is scheduled is listed', async () => {
  const identity = inSecret('later/db');
  await create(kindOf('secrets.kv-metadata'), identity, { delete_version_after: '1h' });
  await create(kv, identity, { data: { a: '1' } });
  expect(await kv.list(clients)).toContainEqual(identity);
});

test('default metadata of a secret is not an object, and its removal keeps the versions', async () => {
  const identity = inSecret('plain/db');
  const metadata = kindOf('secrets.kv-metadata');
  await create(kv, identity, { data: { a: '1' } });
  expect(await metadata.read(clients, identity)).toBeUndefined();
  expect(await metadata.list(clients)).not.toContainEqual(identity);
  await create(metadata, identity, { max_versions: 2, custom_metadata: { a: '1' } });
  await metadata.remove(clients, identity, await read(metadata, identity));
  expect(await metadata.read(clients, identity)).toBeUndefined();
  expect((await read(kv, identity)).spec).toEqual({ data: { a: '1' } });
});

test('entries that others add to custom metadata survive an update', async () => {
  const identity = inSecret('shared/db');
  const metadata = kindOf('secrets.kv-metadata');
  await create(metadata, identity, { custom_metadata: { owner: 'a' } });
  const live = await read(metadata, identity);
  await (await clients.secrets()).patch({
    path: 'secret/metadata/shared/db',
    content: '{"custom_metadata":{"other":"1"}}',
  });
  const spec = { custom_metadata: { owner: 'b' } };
  await metadata.update(clients, { identity, spec, live, resolvePath });
  expect((await read(metadata, identity)).spec.custom_metadata).toEqual({ owner: 'b', other: '1' });
});

test('objects in a mount that does not exist do not exist, and are not created', async () => {
  const identity = { scope: { mount: 'nowhere' }, key: 'a' };
  for (const name of ['kv', 'kv-metadata', 'kv-config', 'ssh-ca', 'ssh-role', 'ssh-zero-address'])
    expect(await kindOf(`secrets.${name}`).read(clients, identity)).toBeUndefined();
  for (const name of ['kv', 'kv-metadata', 'kv-config'])
    await expect(create(kindOf(`secrets.${name}`), identity, {})).rejects.toMatchObject({
      kind: 'usage',
      message: 'key-value engine not found at nowhere/',
    });
});

test('a mount that becomes version 2 is read as such', async () => {
  const mount = kindOf('secrets.mount');
  const identity = { scope: {}, key: 'grows/' };
  const secret = { scope: { mount: 'grows' }, key: 'db' };
  await create(mount, identity, { type: 'kv' });
  await create(kv, secret, { data: { a: '1' } });
  expect((await read(kv, secret)).version).toBe('');
  const live = await read(mount, identity);
  const spec = { ...live.spec, options: { version: '2' } };
  await mount.update(clients, { identity, spec, live, resolvePath });
  expect(await read(kv, secret)).toEqual({ spec: { data: { a: '1' } }, version: '1' });
});

test.each([
  'secrets.mount',
  'secrets.auth-method',
  'secrets.policy',
  'secrets.kv',
  'secrets.kv-metadata',
  'secrets.kv-config',
  'secrets.ssh-role',
  'secrets.ssh-ca',
  'secrets.ssh-zero-address',
])('%s: a forbidden list is an error', async (name) => {
  const limited = await clientsWith('path "secret/*" { capabilities = ["read"] }');
  await expect(kindOf(name).list(limited)).rejects.toMatchObject({ kind: 'forbidden' });
});

test('a forbidden directory is an error, not an incomplete list', async () => {
  await create(kv, inSecret('hidden/db'), { data: { a: '1' } });
  const limited = await clientsWith(
    'path "sys/mounts" { capabilities = ["read"] }\npath "+/metadata" { capabilities = ["list"] }\npath "+/metadata/" { capabilities = ["list"] }',
  );
  await expect(kv.list(limited)).rejects.toMatchObject({ kind: 'forbidden' });
});

test('a secret is read without permission to list mounts', async () => {
  await create(kv, inSecret('own/db'), { data: { a: '1' } });
  const limited = await clientsWith('path "secret/data/own/*" { capabilities = ["read"] }');
  expect((await kv.read(limited, inSecret('own/db')))?.spec).toEqual({ data: { a: '1' } });
  await expect(kv.read(limited, inSecret('twice'))).rejects.toMatchObject({ kind: 'forbidden' });
});
