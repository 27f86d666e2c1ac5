import { describe, expect, test } from 'vitest';
import { engines } from '../../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { type Auth, authOf, data, secrets } from '../support.ts';
import { policyCases, templateCases } from './policy-cases.ts';

/** A service with a key-value engine of version 1 at `limits/`. */
async function prepared() {
  const started = await secrets({ engines });
  const { post } = started;
  await post('sys/mounts/limits', { type: 'kv', options: { version: '1' } });
  for (const name of ['a', 'b', 'c']) await post(`limits/${name}`, { v: name });
  return started;
}

describe('a policy with limits', () => {
  test.for(policyCases)('decides as OpenBao: $name', async ({ policies, requests }) => {
    const { ask, createToken, policy, post } = await prepared();
    for (const [index, text] of policies.entries()) await policy(`p${index}`, text);
    const { client_token: token } = await createToken({ policies: policies.map((_text, at) => `p${at}`) });
    await post('limits/x', { v: 'x' });
    for (const [method, path, body, status, wrapTtl] of requests) {
      const headers = wrapTtl === undefined ? {} : { 'X-Vault-Wrap-TTL': wrapTtl };
      const reply = await ask(method, path, { token, headers, ...(body && { body: body as Json }) });
      expect([method, path, body, reply.status]).toEqual([method, path, body, status]);
    }
  });

  test.for([
    'secret/metadata/',
    'secret/detailed-metadata/',
    'ssh/roles/',
    'auth/approle/role/',
    'auth/up/users/',
  ])('shows the first page of a list, and the next ones: %s', async (path) => {
    const { createToken, policy, post, list } = await secrets({ engines });
    await post('sys/mounts/secret', { type: 'kv', options: { version: '2' } });
    await post('sys/auth/approle', { type: 'approle' });
    await post('sys/auth/up', { type: 'userpass' });
    for (const name of ['a', 'b', 'c']) {
      await post(`auth/up/users/${name}`, { password: 'p' });
      await post(`secret/data/${name}`, { data: { v: name } });
      await post(`ssh/roles/${name}`, { key_type: 'ca', allow_user_certificates: true });
      await post(`auth/approle/role/${name}`);
    }
    await policy('p', `path "${path}*" { capabilities = ["list"] pagination_limit = 2 }`);
    const { client_token: token } = await createToken({ policies: ['p'] });
    const keys = async (query: string) => data(await list(`${path}${query}`, token))?.keys;
    expect(await keys('')).toEqual(['a', 'b']);
    expect(await keys('?limit=1')).toEqual(['a']);
    expect(await keys('?after=a')).toEqual(['b', 'c']);
    expect(await keys('?after=b&limit=max')).toEqual(['c']);
    expect((await list(`${path}?limit=3`, token)).status).toBe(403);
  });

  test('ends at its time', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const { post, tokenWith } = await secrets({ clock: () => new Date(now) });
    const token = await tokenWith(
      'path "shelf/a" { capabilities = ["read"] expiration = "2026-01-01T01:00:00Z" }',
    );
    const capabilities = async () => data(await post('sys/capabilities-self', { paths: ['shelf/a'] }, token));
    expect(await capabilities()).toMatchObject({ 'shelf/a': ['read'] });
    now += 3_600_001;
    expect(await capabilities()).toMatchObject({ 'shelf/a': ['deny'] });
  });
});

describe('a template in the path of a policy', () => {
  test.for(templateCases)('decides as OpenBao: %s for %s', async ([template, path, status]) => {
    const { policy, post, get } = await prepared();
    await post('sys/auth/up', { type: 'userpass' });
    const accessor = String(data(await get('sys/auth/up'))?.accessor);
    await post('auth/up/users/ada', { password: 'p', token_policies: 'templated' });
    const created = await post('identity/entity', {
      name: 'ada-entity',
      metadata: { team: 'red', odd: 'a/b' },
    });
    const id = String(data(created)?.id);
    const alias = { name: 'ada', canonical_id: id, mount_accessor: accessor, custom_metadata: { desk: '7' } };
    await post('identity/entity-alias', alias);
    await policy(
      'templated',
      `path "limits/t/${template.replace('{accessor}', accessor)}" { capabilities = ["read"] }`,
    );
    const name = path.replace('{name}', 'ada-entity').replace('{id}', id);
    const encoded = name.split('/').map(encodeURIComponent).join('/');
    expect((await post(`limits/t/${encoded || 'none'}`, { v: 1 })).status).toBe(204);
    const login = await post('auth/up/login/ada', { password: 'p' }, '');
    const token = authOf(login).client_token;
    expect((await get(`limits/t/${encoded}`, token)).status).toBe(status);
    // A token without an entity has no values.
    const { client_token: other } = authOf(await post('auth/token/create', { policies: ['templated'] }));
    expect((await get(`limits/t/${encoded}`, other)).status).toBe(403);
  });

  test('follows changes of the entity, and denies with deny', async () => {
    const { policy, post, get } = await prepared();
    await post('sys/auth/up', { type: 'userpass' });
    await post('auth/up/users/ada', { password: 'p', token_policies: 'templated' });
    const login = await post('auth/up/login/ada', { password: 'p' }, '');
    const { client_token: token, entity_id: id } = authOf(login) as Auth & { readonly entity_id: string };
    await policy(
      'templated',
      `path "limits/*" { capabilities = ["read"] }
       path "limits/{{identity.entity.metadata.team}}" { capabilities = ["deny"] }`,
    );
    const status = async () => (await get('limits/a', token)).status;
    expect(await status()).toBe(200);
    await post(`identity/entity/id/${id}`, { metadata: { team: 'a' } });
    expect(await status()).toBe(403);
    await post(`identity/entity/id/${id}`, { metadata: { team: 'b' } });
    expect(await status()).toBe(200);
  });
});
