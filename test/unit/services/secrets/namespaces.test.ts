import { Agent } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, rootToken } from '../support.ts';
import { authOf, data, denied, everything, outcome, secrets } from './support.ts';

/** A service with the namespaces ns1/, ns1/ns2/ and other/, each with a shelf that contains its own path. */
async function nested(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { post, put } = service;
  for (const [parent, name] of [
    ['', 'ns1'],
    ['ns1/', 'ns2'],
    ['', 'other'],
  ]) {
    const path = `${parent}${name}`;
    expect((await post(`${parent}sys/namespaces/${name}`)).status).toBe(200);
    await post(`${path}/sys/mounts/shelf`, { type: 'shelf' });
    await put(`${path}/shelf/things/mine`, { path });
  }
  /** A token of ns1 with a policy. */
  const tokenOfNs1 = async (policy: string) => {
    await put('ns1/sys/policies/acl/p', { policy });
    return authOf(await post('ns1/auth/token/create', { policies: ['p'] })).client_token;
  };
  return { ...service, tokenOfNs1 };
}

describe('namespaces', () => {
  test('are created, shown, listed and deleted with their content', async () => {
    const { post, put, get, list, remove } = await nested();
    const made = data(await post('sys/namespaces/new', { custom_metadata: { a: 'b' } }));
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{5}$/),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      path: 'new/',
      custom_metadata: { a: 'b' },
      locked: false,
      tainted: false,
    });
    expect(data(await get('sys/namespaces/new'))).toEqual(made);
    const again = await put('sys/namespaces/new', { custom_metadata: { c: 'd' } });
    expect(data(again)).toEqual({ ...made, custom_metadata: { c: 'd' } });
    expect(data(await list('sys/namespaces'))?.keys).toEqual(['new/', 'ns1/', 'other/']);
    expect(data(await list('ns1/sys/namespaces'))).toMatchObject({
      keys: ['ns2/'],
      key_info: { 'ns2/': { path: 'ns1/ns2/' } },
    });
    expect(outcome(await remove('sys/namespaces/ns1'))).toBe('400 namespace has child namespaces: ns2/');
    expect(data(await remove('ns1/sys/namespaces/ns2'))).toEqual({ status: 'in-progress' });
    expect((await get('ns1/ns2/shelf/things/mine')).status).toBe(404);
    expect((await remove('sys/namespaces/ns1')).status).toBe(200);
    expect(await remove('sys/namespaces/ns1')).toMatchObject({
      status: 200,
      json: { data: null, warnings: ['requested namespace does not exist'] },
    });
    expect((await get('sys/namespaces/ns1')).status).toBe(404);
    await post('sys/namespaces/ns1');
    expect((await get('ns1/shelf/things/mine')).status).toBe(404);
  });

  test('have metadata that a write replaces and a patch changes', async () => {
    const { ask } = await secrets();
    const metadata = async (method: string, body: Json) => {
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const reply = await ask(method, 'sys/namespaces/a', { body, ...(method === 'PATCH' && { headers }) });
      return reply.status === 200 ? data(reply)?.custom_metadata : outcome(reply);
    };
    expect(await metadata('PATCH', {})).toBe('400 namespace not found');
    expect(await metadata('POST', { custom_metadata: { a: '1', b: '2' } })).toEqual({ a: '1', b: '2' });
    expect(await metadata('PATCH', { custom_metadata: { a: null, c: '3' } })).toEqual({ b: '2', c: '3' });
    expect(await metadata('PATCH', {})).toEqual({ b: '2', c: '3' });
    expect(await metadata('PATCH', { custom_metadata: { d: {} } })).toMatch(/^400 ./);
    expect(await metadata('PATCH', { custom_metadata: null })).toEqual({});
    await metadata('PATCH', { custom_metadata: { e: '5' } });
    expect(await metadata('POST', {})).toEqual({});
  });

  test('are managed in their parent, and cannot be locked or sealed', async () => {
    const { ask, put } = await nested();
    for (const path of ['ns1/ns2', 'ns1/lock', 'ns1/unlock', 'ns1/seal', 'ns1/key-status']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await ask(method, `sys/namespaces/${path}`, { ...(method === 'POST' && { body: {} }) });
        expect(outcome(reply), path).toBe('400 namespace name cannot contain /');
      }
    }
    for (const path of ['lock/ns1', 'unlock/ns1', 'lock'])
      expect(outcome(await put(`sys/namespaces/api-lock/${path}`))).toBe(
        '400 locking namespaces is not supported',
      );
  });

  test.each(['root', 'sys', 'auth', 'identity', 'cubbyhole', 'shelf', 'a%20b'])(
    'cannot have the reserved or conflicting name %s',
    async (name) => {
      const { post } = await secrets();
      expect((await post(`sys/namespaces/${name}`)).status).toBe(400);
    },
  );

  test('reserve their paths', async () => {
    const { post } = await nested();
    const mount = async (path: string) => outcome(await post(`sys/mounts/${path}`, { type: 'shelf' }));
    expect(await mount('ns1')).toBe('400 path is already in use at ns1/');
    expect(await mount('ns1/x')).toMatch(/^400 /);
  });

  test('may be named in the header, in the path, or partly in each, with the same result', async () => {
    const { ask } = await nested();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const piece = fc.constantFrom('ns1', 'ns2', 'other', 'nowhere', 'shelf', 'sys');
    const target = fc.constantFrom(
      'shelf/things/mine',
      'shelf/public',
      'shelf/none',
      'sys/mounts',
      'sys/health',
      'auth/token/lookup-self',
      'nowhere/x',
    );
    const slashes = fc.tuple(fc.constantFrom('', '/'), fc.constantFrom('', '/'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 3 }),
        target,
        slashes,
        fc.boolean(),
        async (names, path, [before, after], withToken) => {
          const outcomes = [];
          for (let at = 0; at <= names.length; at++) {
            const header = names.slice(0, at).join('/');
            const reply = await ask('GET', [...names.slice(at), path].join('/'), {
              headers: { 'X-Secrets-Namespace': header === '' ? header : before + header + after },
              token: withToken ? rootToken : null,
              agent,
            });
            const { request_id: _id, server_time_utc: _time, ...rest } = reply.json ?? {};
            outcomes.push({ status: reply.status, ...rest });
            // A header without an existing namespace is not found: there is nothing to compare.
            if (!isNamespace(names.slice(0, at + 1))) break;
          }
          expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
        },
      ),
      { numRuns: 500 },
    );
    for (const [header, path] of [
      ['', 'ns1/ns2/shelf/things/mine'],
      ['ns1', 'ns2/shelf/things/mine'],
      ['ns1/ns2/', 'shelf/things/mine'],
    ] as const) {
      const reply = await ask('GET', path, { headers: { 'X-Vault-Namespace': header } });
      expect(data(reply)).toEqual({ kept: { path: 'ns1/ns2' } });
    }
  });

  const isNamespace = (names: readonly string[]) => ['', 'ns1', 'ns1/ns2', 'other'].includes(names.join('/'));

  test('have their own tokens and policies, which apply to child namespaces and nowhere else', async () => {
    const { post, get, tokenOfNs1 } = await nested();
    const token = await tokenOfNs1(
      `path "shelf/*" { capabilities = ["read"] }
       path "ns2/shelf/*" { capabilities = ["read"] }
       path "ns2/sys/capabilities-self" { capabilities = ["update"] }`,
    );
    for (const [path, status] of [
      ['ns1/shelf/things/mine', 200],
      ['ns1/ns2/shelf/things/mine', 200],
      ['other/shelf/things/mine', 403],
      ['shelf/things/mine', 403],
    ] as const)
      expect((await get(path, token)).status, path).toBe(status);
    expect((await get('sys/policies/acl/p')).status).toBe(404);
    const capabilities = await post('ns1/ns2/sys/capabilities-self', { paths: ['shelf/x'] }, token);
    expect(data(capabilities)).toMatchObject({ 'shelf/x': ['read'] });
  });

  test('do not let a token of one look up or revoke tokens of another', async () => {
    const { post, put, get, remove, tokenOfNs1 } = await nested();
    const admin = await tokenOfNs1(everything);
    const target = { token: rootToken };
    expect(outcome(await post('ns1/auth/token/lookup', target, admin))).toBe('403 bad token');
    expect((await post('ns1/auth/token/revoke', target, admin)).status).toBe(204);
    expect((await get('auth/token/lookup-self')).status).toBe(200);
    expect((await post('ns1/auth/token/create', { policies: ['root'] }, admin)).status).toBe(400);
    expect(outcome(await put('sys/seal', {}, admin))).toBe(denied);
    expect((await put('ns1/sys/seal', {}, admin)).status).toBe(404);
    expect((await remove('sys/namespaces/other', admin)).status).toBe(403);
    expect((await get('shelf/public')).status).toBe(200);
  });

  test('have their own logins, entities and leases', async () => {
    const { post, put, get } = await nested();
    await post('ns1/sys/auth/userpass', { type: 'userpass' });
    await post('ns1/auth/userpass/users/bob', { password: 'pw', token_policies: 'lend' });
    await put('ns1/sys/policies/acl/lend', { policy: 'path "shelf/lent/*" { capabilities = ["update"] }' });
    const login = await post('ns1/auth/userpass/login/bob', { password: 'pw' }, null);
    const { client_token: token, entity_id: entity } = authOf(login);
    expect((await get(`ns1/identity/entity/id/${entity}`)).status).toBe(200);
    expect((await get(`identity/entity/id/${entity}`)).status).toBe(404);
    const lease_id = String((await put('ns1/shelf/lent/a', {}, token)).json?.lease_id);
    expect(lease_id).toMatch(/^shelf\/lent\/a\/\w{24}\.\w{5}$/);
    const lookup = async (prefix: string) => (await put(`${prefix}sys/leases/lookup`, { lease_id })).status;
    expect([await lookup('ns1/'), await lookup('')]).toEqual([200, 400]);
    await put('ns1/auth/token/revoke', { token });
    expect(await lookup('ns1/')).toBe(400);
    expect((await get('ns1/shelf/things/a')).status).toBe(404);
  });

  test('exist after a restart', async () => {
    const directory = await folder();
    const first = await nested({ dataDirectory: directory });
    await first.close();
    const { get } = await secrets({ dataDirectory: directory });
    expect(data(await get('ns1/ns2/shelf/things/mine'))).toEqual({ kept: { path: 'ns1/ns2' } });
  });
});
