import { describe, expect, test } from 'vitest';
import { authOf, data, secrets } from './support.ts';

describe('a token with the policy root', () => {
  test('permits everything', async () => {
    const { ask, put, get } = await secrets();
    for (const [method, operation] of [
      ['GET', 'read'],
      ['LIST', 'list'],
      ['PUT', 'update'],
      ['DELETE', 'delete'],
      ['RECOVER', 'recover'],
      ['PATCH', 'patch'],
    ] as const) {
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const reply = await ask(method, 'shelf/echo/x', method === 'GET' ? {} : { body: {}, headers });
      expect([reply.status, data(reply)?.operation]).toEqual([200, operation]);
    }
    expect((await put('shelf/things/new')).status).toBe(204);
    expect((await put('sys/leases/revoke-prefix/shelf')).status).toBe(204);
    expect((await get('sys/internal/ui/mounts/shelf')).status).toBe(200);
  });

  test('permits everything in child namespaces', async () => {
    const { post, get, list } = await secrets();
    await post('sys/namespaces/ns1');
    await post('ns1/sys/mounts/shelf', { type: 'shelf' });
    expect((await get('ns1/shelf/echo/x')).status).toBe(200);
    expect((await list('ns1/shelf/echo')).status).toBe(200);
    expect((await get('ns1/sys/internal/ui/mounts/shelf')).status).toBe(200);
  });
});

describe('a policy of a namespace', () => {
  const lookup = 'sys/internal/ui/mounts/shelf';

  test.each<[string, readonly string[], readonly (readonly [number, string, string])[]]>([
    [
      'applies to paths of that namespace, not of its child namespaces',
      ['shelf/*'],
      [
        [200, 'GET', 'ns1/shelf/echo/x'],
        [200, 'LIST', 'ns1/shelf/echo'],
        [403, 'GET', 'ns1/ns2/shelf/echo/x'],
        [403, 'LIST', 'ns1/ns2/shelf/echo'],
      ],
    ],
    [
      'applies to a child namespace by its name',
      ['ns2/shelf/echo/x', 'ns2/shelf/echo/list'],
      [
        [200, 'GET', 'ns1/ns2/shelf/echo/x'],
        [200, 'LIST', 'ns1/ns2/shelf/echo/list'],
        [403, 'GET', 'ns1/ns2/shelf/echo/y'],
        [403, 'GET', 'ns1/shelf/echo/x'],
      ],
    ],
    [
      'shows a mount of a child namespace if it grants access to it',
      ['ns2/shelf/*', 'ns2/sys/internal/ui/mounts/*'],
      [
        [200, 'GET', `ns1/ns2/${lookup}`],
        [403, 'GET', `ns1/${lookup}`],
      ],
    ],
    [
      'does not show a mount of a child namespace without access to it',
      ['shelf/*', 'ns2/sys/internal/ui/mounts/*'],
      [
        [403, 'GET', `ns1/ns2/${lookup}`],
        [200, 'GET', `ns1/${lookup}`],
      ],
    ],
  ])('%s', async (_, paths, expected) => {
    const { ask, post, put } = await secrets();
    for (const [parent, name] of [
      ['', 'ns1'],
      ['ns1/', 'ns2'],
    ]) {
      await post(`${parent}sys/namespaces/${name}`);
      await post(`${parent}${name}/sys/mounts/shelf`, { type: 'shelf' });
    }
    const policy = paths.map((path) => `path "${path}" { capabilities = ["read", "list"] }`).join('\n');
    expect((await put('ns1/sys/policies/acl/p', { policy })).status).toBe(204);
    const token = authOf(await post('ns1/auth/token/create', { policies: ['p'] })).client_token;
    for (const [status, method, path] of expected)
      expect((await ask(method, path, { token })).status, `${method} ${path}`).toBe(status);
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
    const { post, get, tokenWith } = await secrets();
    await post('sys/mounts/deep/shelf', { type: 'shelf' });
    const token = await tokenWith(text);
    const status = async (path: string) => (await get(`sys/internal/ui/mounts/${path}`, token)).status;
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
    'is permitted by the exact path with a slash, else the one without, else the wildcards: %s',
    async ([text, expected]) => {
      const { list, tokenWith } = await secrets();
      expect((await list('shelf/echo/a', await tokenWith(text))).status).toBe(expected);
    },
  );
});
