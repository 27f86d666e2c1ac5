import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/wire/json.ts';
import { type Auth, data, secrets } from './support.ts';

describe('a token with the policy root', () => {
  test('may do everything', async () => {
    const { ask } = await secrets();
    for (const [method, operation] of [
      ['GET', 'read'],
      ['LIST', 'list'],
      ['PUT', 'update'],
      ['DELETE', 'delete'],
      ['RECOVER', 'recover'],
    ] as const) {
      const reply = await ask(method, 'shelf/echo/x', method === 'GET' ? {} : { body: {} });
      expect([reply.status, data(reply)?.operation]).toEqual([200, operation]);
    }
    const patched = await ask('PATCH', 'shelf/echo/x', {
      body: {},
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect([patched.status, data(patched)?.operation]).toEqual([200, 'patch']);
    expect((await ask('PUT', 'shelf/things/new', { body: {} })).status).toBe(204);
    expect((await ask('PUT', 'sys/leases/revoke-prefix/shelf', { body: {} })).status).toBe(204);
    expect((await ask('GET', 'sys/internal/ui/mounts/shelf')).status).toBe(200);
  });

  test('may do everything in child namespaces', async () => {
    const { ask } = await secrets();
    await ask('POST', 'sys/namespaces/ns1', { body: {} });
    await ask('POST', 'ns1/sys/mounts/shelf', { body: { type: 'shelf' } });
    expect((await ask('GET', 'ns1/shelf/echo/x')).status).toBe(200);
    expect((await ask('LIST', 'ns1/shelf/echo')).status).toBe(200);
    expect((await ask('GET', 'ns1/sys/internal/ui/mounts/shelf')).status).toBe(200);
  });
});

/** A service with the namespace ns1/ns2/, each with a shelf, and a token of ns1 whose policy has these paths. */
async function inNamespace(...paths: string[]) {
  const { ask } = await secrets();
  const within = (namespace: string, method: string, path: string, body?: Json, token?: string) =>
    ask(method, path, {
      headers: { 'X-Secrets-Namespace': namespace },
      ...(body !== undefined && { body }),
      ...(token !== undefined && { token }),
    });
  for (const [parent, name] of [
    ['', 'ns1'],
    ['ns1', 'ns2'],
  ] as const) {
    await within(parent, 'POST', `sys/namespaces/${name}`, {});
    await within(`${parent}/${name}`, 'POST', 'sys/mounts/shelf', { type: 'shelf' });
  }
  const policy = paths.map((path) => `path "${path}" { capabilities = ["read", "list"] }`).join('\n');
  expect((await within('ns1', 'PUT', 'sys/policies/acl/p', { policy })).status).toBe(204);
  const made = await within('ns1', 'POST', 'auth/token/create', { policies: ['p'] });
  const token = (made.json?.auth as unknown as Auth | undefined)?.client_token ?? '';
  return async (namespace: string, method: string, path: string) =>
    (await within(namespace, method, path, undefined, token)).status;
}

describe('a policy of a namespace', () => {
  test('applies to paths of that namespace, not of its child namespaces', async () => {
    const status = await inNamespace('shelf/*');
    expect(await status('ns1', 'GET', 'shelf/echo/x')).toBe(200);
    expect(await status('ns1', 'LIST', 'shelf/echo')).toBe(200);
    expect(await status('ns1/ns2', 'GET', 'shelf/echo/x')).toBe(403);
    expect(await status('ns1/ns2', 'LIST', 'shelf/echo')).toBe(403);
  });

  test('applies to a child namespace by its name', async () => {
    const status = await inNamespace('ns2/shelf/echo/x', 'ns2/shelf/echo/list');
    expect(await status('ns1/ns2', 'GET', 'shelf/echo/x')).toBe(200);
    expect(await status('ns1/ns2', 'LIST', 'shelf/echo/list')).toBe(200);
    expect(await status('ns1/ns2', 'GET', 'shelf/echo/y')).toBe(403);
    expect(await status('ns1', 'GET', 'shelf/echo/x')).toBe(403);
    expect(await status('', 'GET', 'ns1/ns2/shelf/echo/x')).toBe(200);
  });

  test('shows a mount of a child namespace only if it grants access to it', async () => {
    const lookup = 'sys/internal/ui/mounts/shelf';
    const permitted = await inNamespace('ns2/shelf/*', 'ns2/sys/internal/ui/mounts/*');
    expect(await permitted('ns1/ns2', 'GET', lookup)).toBe(200);
    expect(await permitted('ns1', 'GET', lookup)).toBe(403);
    const elsewhere = await inNamespace('shelf/*', 'ns2/sys/internal/ui/mounts/*');
    expect(await elsewhere('ns1/ns2', 'GET', lookup)).toBe(403);
    expect(await elsewhere('ns1', 'GET', lookup)).toBe(200);
  });
});

describe('a mount is shown to a token', () => {
  const read = (path: string) => `path "${path}" { capabilities = ["read"] }`;
  const deny = (path: string) => `path "${path}" { capabilities = ["deny"] }`;

  test.for<[string, { readonly shelf: number; readonly deep: number }]>([
    ['# nothing', { shelf: 403, deep: 403 }],
    [read('shelf/*'), { shelf: 200, deep: 403 }],
    [read('shelf/things/a'), { shelf: 200, deep: 403 }],
    [read('shelf'), { shelf: 200, deep: 403 }],
    [read('shel'), { shelf: 403, deep: 403 }],
    [read('she*'), { shelf: 200, deep: 403 }],
    [read('ae*'), { shelf: 403, deep: 403 }],
    [read('*'), { shelf: 200, deep: 200 }],
    [read('+/things/x'), { shelf: 200, deep: 403 }],
    [read('+/+'), { shelf: 200, deep: 200 }],
    [read('deep'), { shelf: 403, deep: 403 }],
    [read('deep/+/x'), { shelf: 403, deep: 200 }],
    [read('deep/shelf/things/*'), { shelf: 403, deep: 200 }],
    [read('deep/other/*'), { shelf: 403, deep: 403 }],
    [read('other/shelf/*'), { shelf: 403, deep: 403 }],
    [read('de*'), { shelf: 403, deep: 200 }],
    [read('deep/sh*'), { shelf: 403, deep: 200 }],
    [read('deep/x*'), { shelf: 403, deep: 403 }],
    [deny('shelf/*'), { shelf: 403, deep: 403 }],
    [`${deny('shelf/*')}\n${read('shelf/a')}`, { shelf: 200, deep: 403 }],
    [`${read('de*')}\n${deny('deep/shelf/')}`, { shelf: 403, deep: 200 }],
  ])('with a capability at its path or below: %s', async ([text, expected]) => {
    const { ask, createToken, policy } = await secrets();
    await ask('POST', 'sys/mounts/deep/shelf', { body: { type: 'shelf' } });
    await policy('p', text);
    const { client_token: token } = await createToken({ policies: ['p'] });
    const status = async (path: string) =>
      (await ask('GET', `sys/internal/ui/mounts/${path}`, { token })).status;
    expect({ shelf: await status('shelf/things/a'), deep: await status('deep/shelf') }).toEqual(expected);
  });
});

describe('a list', () => {
  const stanza = (path: string, capability: string) => `path "${path}" { capabilities = ["${capability}"] }`;

  test.for<[string, number]>([
    [`${stanza('shelf/echo/a/', 'list')}\n${stanza('shelf/echo/a', 'deny')}`, 200],
    [`${stanza('shelf/echo/a/', 'deny')}\n${stanza('shelf/echo/a', 'list')}`, 403],
    [`${stanza('shelf/echo/*', 'list')}\n${stanza('shelf/echo/a', 'deny')}`, 403],
    [`${stanza('shelf/echo/*', 'deny')}\n${stanza('shelf/echo/a', 'list')}`, 200],
    [`${stanza('shelf/echo/*', 'list')}\n${stanza('shelf/echo/+', 'deny')}`, 200],
    [`${stanza('shelf/echo/*', 'deny')}\n${stanza('shelf/echo/+', 'list')}`, 403],
    [stanza('shelf/echo/+', 'list'), 200],
    [stanza('shelf/+/+/', 'list'), 200],
    [stanza('shelf/echo/b', 'list'), 403],
  ])(
    'is permitted by the exact path with a slash, the one without, then the wildcards: %s',
    async ([text, expected]) => {
      const { ask, createToken, policy } = await secrets();
      await policy('p', text);
      const { client_token: token } = await createToken({ policies: ['p'] });
      expect((await ask('LIST', 'shelf/echo/a', { token })).status).toBe(expected);
    },
  );
});
