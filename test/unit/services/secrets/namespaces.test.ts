import { Agent } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, type Reply } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { data, errors, secrets } from './support.ts';

const tokenOf = ({ json }: Reply) => (json as { auth?: { client_token?: string } }).auth?.client_token ?? '';

/** A service with the namespaces ns1/, ns1/ns2/ and other/, each with a shelf that contains its own path. */
async function nested(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { ask } = service;
  const within = (namespace: string) => (method: string, path: string, body?: Json, token?: string) =>
    ask(method, path, {
      headers: { 'X-Secrets-Namespace': namespace },
      ...(body !== undefined && { body }),
      ...(token !== undefined && { token }),
    });
  for (const [parent, name] of [
    ['', 'ns1'],
    ['ns1', 'ns2'],
    ['', 'other'],
  ] as const) {
    const path = parent === '' ? name : `${parent}/${name}`;
    expect((await within(parent)('POST', `sys/namespaces/${name}`, {})).status).toBe(200);
    await within(path)('POST', 'sys/mounts/shelf', { type: 'shelf' });
    await within(path)('PUT', 'shelf/things/mine', { path });
  }
  return { ...service, within };
}

describe('namespaces', () => {
  test('are created, shown, listed and deleted with their content', async () => {
    const { ask, within } = await nested();
    const made = await ask('POST', 'sys/namespaces/new', { body: { custom_metadata: { a: 'b' } } });
    expect(data(made)).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{5}$/),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      path: 'new/',
      custom_metadata: { a: 'b' },
      locked: false,
      tainted: false,
    });
    expect(data(await ask('GET', 'sys/namespaces/new'))).toEqual(data(made));
    const again = await ask('PUT', 'sys/namespaces/new', { body: { custom_metadata: { c: 'd' } } });
    expect(data(again)).toEqual({ ...data(made), custom_metadata: { c: 'd' } });
    expect(data(await ask('LIST', 'sys/namespaces'))?.keys).toEqual(['new/', 'ns1/', 'other/']);
    expect(data(await within('ns1')('LIST', 'sys/namespaces'))).toMatchObject({
      keys: ['ns2/'],
      key_info: { 'ns2/': { path: 'ns1/ns2/' } },
    });
    expect(errors(await ask('DELETE', 'sys/namespaces/ns1'))).toEqual([
      400,
      ['namespace has child namespaces: ns2/'],
    ]);
    expect(data(await within('ns1')('DELETE', 'sys/namespaces/ns2'))).toEqual({ status: 'in-progress' });
    expect((await ask('GET', 'ns1/ns2/shelf/things/mine')).status).toBe(404);
    expect((await ask('DELETE', 'sys/namespaces/ns1')).status).toBe(200);
    expect(await ask('DELETE', 'sys/namespaces/ns1')).toMatchObject({
      status: 200,
      json: { data: null, warnings: ['requested namespace does not exist'] },
    });
    expect((await ask('GET', 'sys/namespaces/ns1')).status).toBe(404);
    await ask('POST', 'sys/namespaces/ns1', { body: {} });
    expect((await ask('GET', 'ns1/shelf/things/mine')).status).toBe(404);
  });

  test('have metadata that a write replaces and a patch changes', async () => {
    const { ask } = await secrets();
    const metadata = async (method: string, body: Json) => {
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const reply = await ask(method, 'sys/namespaces/a', { body, ...(method === 'PATCH' && { headers }) });
      return reply.status === 200 ? data(reply)?.custom_metadata : errors(reply);
    };
    expect(await metadata('PATCH', {})).toEqual([400, ['namespace not found']]);
    expect(await metadata('POST', { custom_metadata: { a: '1', b: '2' } })).toEqual({ a: '1', b: '2' });
    expect(await metadata('PATCH', { custom_metadata: { a: null, c: '3' } })).toEqual({ b: '2', c: '3' });
    expect(await metadata('PATCH', {})).toEqual({ b: '2', c: '3' });
    expect(await metadata('PATCH', { custom_metadata: { d: {} } })).toMatchObject([400, expect.anything()]);
    expect(await metadata('PATCH', { custom_metadata: null })).toEqual({});
    await metadata('PATCH', { custom_metadata: { e: '5' } });
    expect(await metadata('POST', {})).toEqual({});
  });

  test('are managed in the one above, and cannot be locked or sealed', async () => {
    const { ask } = await nested();
    for (const path of ['ns1/ns2', 'ns1/lock', 'ns1/unlock', 'ns1/seal', 'ns1/key-status']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await ask(method, `sys/namespaces/${path}`, { ...(method === 'POST' && { body: {} }) });
        expect(errors(reply), path).toEqual([400, ['namespace name cannot contain /']]);
      }
    }
    for (const path of ['lock/ns1', 'unlock/ns1', 'lock']) {
      expect(errors(await ask('PUT', `sys/namespaces/api-lock/${path}`, { body: {} }))).toEqual([
        400,
        ['locking namespaces is not supported'],
      ]);
    }
  });

  test('cannot have a reserved or conflicting name', async () => {
    const { ask } = await nested();
    const status = async (name: string) => (await ask('POST', `sys/namespaces/${name}`, { body: {} })).status;
    for (const name of ['root', 'sys', 'auth', 'identity', 'cubbyhole', 'shelf', 'a%20b']) {
      expect(await status(name), name).toBe(400);
    }
    expect(errors(await ask('POST', 'sys/mounts/ns1', { body: { type: 'shelf' } }))).toEqual([
      400,
      ['path is already in use at ns1/'],
    ]);
    expect((await ask('POST', 'sys/mounts/ns1/x', { body: { type: 'shelf' } })).status).toBe(400);
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
              token: withToken ? 'hvs.test-root-token' : null,
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
    const { within } = await nested();
    const ns1 = within('ns1');
    await ns1('PUT', 'sys/policies/acl/reader', {
      policy:
        'path "shelf/*" { capabilities = ["read"] }\npath "ns2/shelf/*" { capabilities = ["read"] }\npath "ns2/sys/capabilities-self" { capabilities = ["update"] }',
    });
    const made = await ns1('POST', 'auth/token/create', { policies: ['reader'] });
    const token = tokenOf(made);
    const status = async (namespace: string, path = 'shelf/things/mine') =>
      (await within(namespace)('GET', path, undefined, token)).status;
    expect(await status('ns1')).toBe(200);
    expect(await status('ns1/ns2')).toBe(200);
    expect(await status('other')).toBe(403);
    expect(await status('')).toBe(403);
    expect(await status('', 'ns1/shelf/things/mine')).toBe(200);
    expect((await within('')('GET', 'sys/policies/acl/reader')).status).toBe(404);
    const asked = await within('ns1/ns2')('POST', 'sys/capabilities-self', { paths: ['shelf/x'] }, token);
    expect(data(asked)).toMatchObject({ 'shelf/x': ['read'] });
  });

  test('do not let a token of one look up or revoke tokens of another', async () => {
    const { ask, within } = await nested();
    const ns1 = within('ns1');
    await ns1('PUT', 'sys/policies/acl/admin', {
      policy: 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }',
    });
    const made = await ns1('POST', 'auth/token/create', { policies: ['admin'] });
    const admin = tokenOf(made);
    const target = { token: 'hvs.test-root-token' };
    expect(errors(await ns1('POST', 'auth/token/lookup', target, admin))).toEqual([403, ['bad token']]);
    expect((await ns1('POST', 'auth/token/revoke', target, admin)).status).toBe(204);
    expect((await ask('GET', 'auth/token/lookup-self')).status).toBe(200);
    expect(errors(await ns1('POST', 'auth/token/create', { policies: ['root'] }, admin))[0]).toBe(400);
    expect(errors(await ask('PUT', 'sys/seal', { token: admin }))).toEqual([
      403,
      [decorated('permission denied')],
    ]);
    expect((await ns1('PUT', 'sys/seal', {}, admin)).status).toBe(404);
    expect((await ask('DELETE', 'sys/namespaces/other', { token: admin })).status).toBe(403);
    expect((await ask('GET', 'shelf/public')).status).toBe(200);
  });

  test('have their own logins, entities and leases', async () => {
    const { within } = await nested();
    const ns1 = within('ns1');
    await ns1('POST', 'sys/auth/userpass', { type: 'userpass' });
    await ns1('POST', 'auth/userpass/users/bob', { password: 'pw', token_policies: 'lend' });
    await ns1('PUT', 'sys/policies/acl/lend', {
      policy: 'path "shelf/lent/*" { capabilities = ["update"] }',
    });
    const { auth } = (await ns1('POST', 'auth/userpass/login/bob', { password: 'pw' }, '')).json as {
      auth: { client_token: string; entity_id: string };
    };
    expect((await ns1('GET', `identity/entity/id/${auth.entity_id}`)).status).toBe(200);
    expect((await within('')('GET', `identity/entity/id/${auth.entity_id}`)).status).toBe(404);
    const lent = await ns1('PUT', 'shelf/lent/a', {}, auth.client_token);
    const id = String(lent.json?.lease_id);
    expect(id).toMatch(/^shelf\/lent\/a\/\w{24}\.\w{5}$/);
    const lookup = async (namespace: string) =>
      (await within(namespace)('PUT', 'sys/leases/lookup', { lease_id: id })).status;
    expect([await lookup('ns1'), await lookup('')]).toEqual([200, 400]);
    await within('ns1')('PUT', 'auth/token/revoke', { token: auth.client_token });
    expect(await lookup('ns1')).toBe(400);
    expect((await ns1('GET', 'shelf/things/a')).status).toBe(404);
  });

  test('exist after a restart', async () => {
    const directory = await folder();
    const first = await nested({ dataDirectory: directory });
    await first.close();
    const { ask } = await secrets({ dataDirectory: directory });
    expect(data(await ask('GET', 'ns1/ns2/shelf/things/mine'))).toEqual({ kept: { path: 'ns1/ns2' } });
  });
});
