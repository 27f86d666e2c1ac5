import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/services/core/store/store.ts';
import { hashOf } from '../../../../src/services/registry/model/acl.ts';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

const clientSecret = 'precious-client-secret';
const method = {
  Name: 'sso',
  Type: 'oidc',
  Config: {
    OIDCDiscoveryURL: 'http://127.0.0.1:9',
    OIDCClientID: 'app',
    OIDCClientSecret: clientSecret,
    AllowedRedirectURIs: ['http://127.0.0.1:8250/callback'],
  },
};

async function expectNowhere(data: string, texts: readonly string[]): Promise<void> {
  for (const name of await readdir(data)) {
    const bytes = await readFile(join(data, name));
    for (const text of texts) expect(bytes.includes(text), `${text} in ${name}`).toBe(false);
  }
}

test('tokens and the secrets of auth methods are in no file, here and in the datacenters that follow', async () => {
  const data = await folder();
  const datacenters = ['dc1', 'dc2'] as const;
  const first = await guarded({ dataDirectory: data, datacenters });
  const root = String(first.bootstrapped.SecretID);
  const { secret } = await first.holder('key_prefix "" { policy = "read" }');
  await first.manage('PUT', 'acl/auth-method', method);
  await first.manage('PUT', 'acl/auth-method?dc=dc2', { ...method, Name: 'there' });
  const asker = (await first.holder('service_prefix "" { policy = "read" }')).secret;
  const query = { Name: 'web', Token: asker, Service: { Service: 'web' } };
  const { ID } = (await first.manage('POST', 'query', query)) as { readonly ID: string };
  await first.manage('POST', 'query?dc=dc2', query);
  await first.manage('PUT', `query/${ID}`, { ...query, Name: 'again' });
  const texts = [root, secret, clientSecret, asker];
  await expectNowhere(data, texts);
  await first.close();
  await expectNowhere(data, texts);
  expect((await stat(join(data, 'registry.key'))).mode & 0o777).toBe(0o600);

  const again = await registry({ dataDirectory: data, datacenters });
  const headers = { 'X-Registry-Token': root };
  expect((await again.ask('GET', 'acl/token/self', { headers })).json?.SecretID).toBe(root);
  expect((await again.ask('GET', 'acl/token/self?dc=dc2', { headers })).json?.SecretID).toBe(root);
  for (const path of [`query/${ID}`, 'query/again/explain', 'query?dc=dc2'])
    expect((await again.ask('GET', path, { headers })).text, path).toContain(`"Token":"${asker}"`);
  expect((await again.ask('GET', 'acl/auth-method/sso', { headers })).json).toMatchObject(method);
  expect((await again.ask('GET', 'acl/auth-method/there?dc=dc2', { headers })).json?.Config).toEqual(
    method.Config,
  );
});

test('rows that were stored in clear before are read, and encrypted at the next start', async () => {
  const data = await folder();
  const indexes = { CreateIndex: 2, ModifyIndex: 2 };
  const AccessorID = '11111111-1111-1111-1111-111111111111';
  const SecretID = '22222222-2222-2222-2222-222222222222';
  const token = {
    AccessorID,
    SecretID,
    Description: 'of before',
    Local: false,
    Hash: 'h',
    ...indexes,
    Policies: ['00000000-0000-0000-0000-000000000001'],
    CreateTime: '2025-01-02T12:00:00.000Z',
  };
  const removed = 'ffffffff-2222-2222-2222-222222222222';
  const query = {
    ID: '33333333-3333-3333-3333-333333333333',
    Name: 'web',
    Session: '',
    Token: SecretID,
    ...indexes,
    Service: {
      Service: 'web',
      Namespace: '',
      Near: '',
      OnlyPassing: false,
      Connect: false,
      IgnoreCheckIDs: null,
      Tags: null,
      NodeMeta: null,
      ServiceMeta: null,
      Failover: { NearestN: 0, Datacenters: null, Targets: null },
    },
    DNS: { TTL: '' },
  };
  const before = await openStore(data);
  await before.write([
    { key: `registry/tokens/${AccessorID}`, value: token },
    { key: `registry/secrets/${hashOf(SecretID)}`, value: { accessor: AccessorID } },
    { key: 'registry/auth-methods/sso', value: { DisplayName: '', Description: '', ...method, ...indexes } },
    { key: `registry/queries/${query.ID}`, value: query },
    { key: 'registry/query-names/web', value: { id: query.ID } },
    // It was removed, and is still in the file.
    { key: 'registry/queries/removed', value: { ...query, Token: removed } },
    { key: 'registry/bootstrap/done', value: { index: 2 } },
    { key: 'registry/index', value: { index: 2, tables: { tokens: 2, 'auth-methods': 2 } } },
  ]);
  await before.write([{ key: 'registry/queries/removed' }]);
  await before.close();
  const bytes = await readFile(join(data, 'lanyard.db'));
  for (const text of [SecretID, removed, clientSecret]) expect(bytes.includes(text), text).toBe(true);

  const headers = { 'X-Registry-Token': SecretID };
  for (const _start of ['first', 'second']) {
    const { ask, close } = await registry({ dataDirectory: data });
    expect((await ask('GET', 'acl/token/self', { headers })).json).toMatchObject({ AccessorID, ...indexes });
    expect((await ask('GET', 'acl/auth-method/sso', { headers })).json).toMatchObject(method);
    expect((await ask('GET', 'query/web/explain', { headers })).text).toContain(`"Token":"${SecretID}"`);
    await expectNowhere(data, [SecretID, removed, clientSecret]);
    await close();
    await expectNowhere(data, [SecretID, removed, clientSecret]);
    const kept = await openStore(data);
    for (const key of [
      `registry/tokens/${AccessorID}`,
      'registry/auth-methods/sso',
      `registry/queries/${query.ID}`,
    ])
      expect(kept.get(key)).toEqual({ sealed: expect.any(String) });
    await kept.close();
  }
});

test('a token that is moved to another row does not decrypt', async () => {
  const data = await folder();
  const { close, bootstrapped } = await guarded({ dataDirectory: data });
  await close();
  const kept = await openStore(data);
  const other = 'registry/tokens/00000000-0000-0000-0000-000000000002';
  await kept.write([{ key: other, value: kept.get(`registry/tokens/${bootstrapped.AccessorID}`) ?? null }]);
  await kept.close();
  await expect(registry({ dataDirectory: data })).rejects.toThrow(
    '00000000-0000-0000-0000-000000000002 is damaged',
  );
});

test('without its key the data is rejected, and also with another key', async () => {
  const data = await folder();
  const other = await folder();
  await (await registry({ dataDirectory: data })).close();
  await (await registry({ dataDirectory: other })).close();
  const key = join(data, 'registry.key');
  await rename(key, `${key}.away`);
  await expect(registry({ dataDirectory: data })).rejects.toThrow(
    `the key file ${key} of the registry data is missing`,
  );
  await rename(join(other, 'registry.key'), key);
  await expect(registry({ dataDirectory: data })).rejects.toThrow(
    `the key file ${key} of the registry data does not decrypt it`,
  );
  await rm(key);
  await rename(`${key}.away`, key);
  await registry({ dataDirectory: data });
});
