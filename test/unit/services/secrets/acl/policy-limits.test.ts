import { describe, expect, test } from 'vitest';
import { engines } from '../../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { type Auth, authOf, data, secrets } from '../support.ts';
import { policyCases, templateCases } from './policy-cases.ts';

/** A service with a key-value engine of version 1 at `limits/`. */
async function prepared() {
  const started = await secrets({ engines });
  const { ask } = started;
  await ask('POST', 'sys/mounts/limits', { body: { type: 'kv', options: { version: '1' } } });
  for (const name of ['a', 'b', 'c']) await ask('POST', `limits/${name}`, { body: { v: name } });
  return started;
}

describe('a policy with limits', () => {
  test.for(policyCases)('decides as OpenBao: $name', async ({ policies, requests }) => {
    const { ask, createToken, policy } = await prepared();
    for (const [index, text] of policies.entries()) await policy(`p${index}`, text);
    const { client_token: token } = await createToken({ policies: policies.map((_text, at) => `p${at}`) });
    await ask('POST', 'limits/x', { body: { v: 'x' } });
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
    const { ask, createToken, policy } = await secrets({ engines });
    await ask('POST', 'sys/mounts/secret', { body: { type: 'kv', options: { version: '2' } } });
    await ask('POST', 'sys/auth/approle', { body: { type: 'approle' } });
    await ask('POST', 'sys/auth/up', { body: { type: 'userpass' } });
    for (const name of ['a', 'b', 'c']) {
      await ask('POST', `auth/up/users/${name}`, { body: { password: 'p' } });
      await ask('POST', `secret/data/${name}`, { body: { data: { v: name } } });
      await ask('POST', `ssh/roles/${name}`, { body: { key_type: 'ca', allow_user_certificates: true } });
      await ask('POST', `auth/approle/role/${name}`, { body: {} });
    }
    await policy('p', `path "${path}*" { capabilities = ["list"] pagination_limit = 2 }`);
    const { client_token: token } = await createToken({ policies: ['p'] });
    const keys = async (query: string) => data(await ask('LIST', `${path}${query}`, { token }))?.keys;
    expect(await keys('')).toEqual(['a', 'b']);
    expect(await keys('?limit=1')).toEqual(['a']);
    expect(await keys('?after=a')).toEqual(['b', 'c']);
    expect(await keys('?after=b&limit=max')).toEqual(['c']);
    expect((await ask('LIST', `${path}?limit=3`, { token })).status).toBe(403);
  });

  test('ends at its time', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const { ask, createToken, policy } = await secrets({ clock: () => new Date(now) });
    await policy('p', 'path "shelf/a" { capabilities = ["read"] expiration = "2026-01-01T01:00:00Z" }');
    const { client_token: token } = await createToken({ policies: ['p'] });
    const capabilities = async () =>
      data(await ask('POST', 'sys/capabilities-self', { token, body: { paths: ['shelf/a'] } }));
    expect(await capabilities()).toMatchObject({ 'shelf/a': ['read'] });
    now += 3_600_001;
    expect(await capabilities()).toMatchObject({ 'shelf/a': ['deny'] });
  });
});

describe('a template in the path of a policy', () => {
  test.for(templateCases)('decides as OpenBao: %s for %s', async ([template, path, status]) => {
    const { ask, policy } = await prepared();
    await ask('POST', 'sys/auth/up', { body: { type: 'userpass' } });
    const accessor = String(data(await ask('GET', 'sys/auth/up'))?.accessor);
    await ask('POST', 'auth/up/users/ada', { body: { password: 'p', token_policies: 'templated' } });
    const created = await ask('POST', 'identity/entity', {
      body: { name: 'ada-entity', metadata: { team: 'red', odd: 'a/b' } },
    });
    const id = String(data(created)?.id);
    const alias = { name: 'ada', canonical_id: id, mount_accessor: accessor, custom_metadata: { desk: '7' } };
    await ask('POST', 'identity/entity-alias', { body: alias });
    await policy(
      'templated',
      `path "limits/t/${template.replace('{accessor}', accessor)}" { capabilities = ["read"] }`,
    );
    const name = path.replace('{name}', 'ada-entity').replace('{id}', id);
    const encoded = name.split('/').map(encodeURIComponent).join('/');
    expect((await ask('POST', `limits/t/${encoded || 'none'}`, { body: { v: 1 } })).status).toBe(204);
    const login = await ask('POST', 'auth/up/login/ada', { token: '', body: { password: 'p' } });
    const token = authOf(login).client_token;
    expect((await ask('GET', `limits/t/${encoded}`, { token })).status).toBe(status);
    // A token without an entity has no values.
    const { client_token: other } = authOf(
      await ask('POST', 'auth/token/create', { body: { policies: ['templated'] } }),
    );
    expect((await ask('GET', `limits/t/${encoded}`, { token: other })).status).toBe(403);
  });

  test('follows changes of the entity, and denies with deny', async () => {
    const { ask, policy } = await prepared();
    await ask('POST', 'sys/auth/up', { body: { type: 'userpass' } });
    await ask('POST', 'auth/up/users/ada', { body: { password: 'p', token_policies: 'templated' } });
    const login = await ask('POST', 'auth/up/login/ada', { token: '', body: { password: 'p' } });
    const { client_token: token, entity_id: id } = authOf(login) as Auth & { readonly entity_id: string };
    await policy(
      'templated',
      `path "limits/*" { capabilities = ["read"] }
       path "limits/{{identity.entity.metadata.team}}" { capabilities = ["deny"] }`,
    );
    const status = async () => (await ask('GET', 'limits/a', { token })).status;
    expect(await status()).toBe(200);
    await ask('POST', `identity/entity/id/${id}`, { body: { metadata: { team: 'a' } } });
    expect(await status()).toBe(403);
    await ask('POST', `identity/entity/id/${id}`, { body: { metadata: { team: 'b' } } });
    expect(await status()).toBe(200);
  });
});
