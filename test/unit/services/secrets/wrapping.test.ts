import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { type Call, folder, type Reply, rootToken } from '../support.ts';
import { data, denied, outcome, secrets } from './support.ts';

const invalid = '400 wrapping token is not valid or does not exist';

/** A service with a clock, a key-value mount of version 1 with one secret, and short functions. */
async function wrapper(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets({ engines, ...options });
  const { post } = service;
  await post('sys/mounts/v1', { type: 'kv-v1' });
  await post('v1/a', { x: '1' });
  const wrapped = (path: string, ttl: string, more: Call = {}, method = 'GET') =>
    service.ask(method, path, { ...more, headers: { 'X-Vault-Wrap-TTL': ttl, ...more.headers } });
  /** The wrapping token of a response, and its accessors. */
  const wrap = async (path: string, more: Call = {}, method = 'GET', ttl = '60') =>
    wrapInfoOf(await wrapped(path, ttl, more, method));
  /** A new wrapping token of the secret. */
  const token = async (ttl = '60') => (await wrap('v1/a', {}, 'GET', ttl)).token;
  return {
    ...service,
    wrapped,
    wrap,
    token,
    unwrap: (wrapping: string, as: string | null = rootToken) =>
      post('sys/wrapping/unwrap', { token: wrapping }, as),
    unwrapAs: (as: string) => post('sys/wrapping/unwrap', {}, as),
  };
}

interface WrapInfo {
  readonly token: string;
  readonly accessor: string;
  readonly wrapped_accessor?: string;
}

function wrapInfoOf({ json, text }: Reply): WrapInfo {
  const info: unknown = json?.wrap_info;
  if (!info) throw new Error(`not wrapped: ${text}`);
  return info as WrapInfo;
}

describe('a wrapped response', () => {
  test('has no content but the token that returns it', async () => {
    const { wrapped } = await wrapper();
    const reply = await wrapped('v1/a', '1h30m');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      request_id: '',
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: null,
      wrap_info: {
        token: expect.stringMatching(/^hvs\./),
        accessor: expect.any(String),
        ttl: 5400,
        creation_time: '2026-03-01T00:00:00.000Z',
        creation_path: 'v1/a',
      },
      warnings: null,
      auth: null,
      mount_type: '',
    });
  });

  test.each([
    ['60', 60],
    ['90s', 90],
    ['1d', 86_400],
    ['3000h', 10_800_000],
  ])('lasts for %s', async (ttl, seconds) => {
    const { wrapped } = await wrapper();
    expect(wrapInfoOf(await wrapped('v1/a', ttl))).toMatchObject({ ttl: seconds });
  });

  test('is returned unwrapped without a lifetime, and for a write without a result', async () => {
    const { wrapped } = await wrapper();
    for (const ttl of ['', '0']) expect(data(await wrapped('v1/a', ttl))).toEqual({ x: '1' });
    expect((await wrapped('v1/b', '60', { body: { y: 1 } }, 'POST')).status).toBe(204);
    expect((await wrapped('sys/health', '60')).json).toMatchObject({ initialized: true });
  });

  test('is an error for an invalid lifetime or format, and for errors', async () => {
    const { wrapped } = await wrapper();
    const header = 'error parsing X-Vault-Wrap-TTL header';
    expect(outcome(await wrapped('v1/a', 'banana'))).toBe(`400 ${header}: time: invalid duration "banana"`);
    expect(outcome(await wrapped('v1/a', '-5'))).toBe(`400 ${header}: requested wrap ttl cannot be negative`);
    expect(outcome(await wrapped('v1/a', '60', { headers: { 'X-Vault-Wrap-Format': 'jwt' } }))).toBe(
      '400 X-Vault-Wrap-Format "jwt" is not supported',
    );
    expect(outcome(await wrapped('v1/none', '60'))).toBe('404');
    expect((await wrapped('none/a', '60')).status).toBe(404);
  });

  test('names the accessor of a token or secret ID in it', async () => {
    const { post, wrap, unwrap, get } = await wrapper();
    const created = await wrap('auth/token/create', { body: { policies: ['default'] } }, 'POST');
    expect(created).toMatchObject({ creation_path: 'auth/token/create' });
    expect((await unwrap(created.token)).json?.auth).toMatchObject({ accessor: created.wrapped_accessor });
    await post('sys/auth/ar', { type: 'approle' });
    await post('auth/ar/role/r');
    const issued = await wrap('auth/ar/role/r/secret-id', { body: {} }, 'POST');
    const { secret_id, secret_id_accessor: accessor } = data(await unwrap(issued.token)) ?? {};
    expect(accessor).toBe(issued.wrapped_accessor);
    const { role_id } = data(await get('auth/ar/role/r/role-id')) ?? {};
    const entered = await wrap('auth/ar/login', { body: { role_id, secret_id }, token: null }, 'POST');
    expect(entered).toMatchObject({ creation_path: 'auth/ar/login' });
    expect((await unwrap(entered.token)).json?.auth).toMatchObject({ accessor: entered.wrapped_accessor });
  });

  test('can be a list, plain text or a deleted version', async () => {
    const { post, wrap, wrapped, unwrap, get, remove } = await wrapper();
    const list = await wrap('v1', {}, 'LIST');
    expect(list).toMatchObject({ creation_path: 'v1/' });
    expect(data(await unwrap(list.token))).toEqual({ keys: ['a'] });
    // As OpenBao 2.6.2.
    expect(await wrapped('v1/none', '60', {}, 'LIST')).toMatchObject({
      status: 404,
      json: { errors: ['unsupported path'] },
    });
    await post('ssh/config/ca', { generate_signing_key: true, key_type: 'ed25519' });
    const key = await unwrap((await wrap('ssh/public_key', { token: null })).token);
    expect([key.headers['content-type'], key.text]).toEqual([
      expect.stringContaining('text/plain'),
      (await get('ssh/public_key')).text,
    ]);
    await post('sys/mounts/v2', { type: 'kv-v2' });
    await post('v2/data/d', { data: { x: 1 } });
    await remove('v2/data/d');
    const deleted = await unwrap((await wrap('v2/data/d')).token);
    expect([deleted.status, data(deleted)?.data]).toEqual([404, null]);
  });
});

describe('unwrapping', () => {
  test('returns the response once, with another token or with the wrapping token', async () => {
    const { token, unwrap, unwrapAs, ask } = await wrapper();
    const first = await token();
    expect((await unwrap(first)).json).toMatchObject({ data: { x: '1' }, wrap_info: null });
    expect(outcome(await unwrap(first))).toBe(invalid);
    const second = await token();
    expect(data(await unwrapAs(second))).toEqual({ x: '1' });
    expect(outcome(await unwrapAs(second))).toBe(invalid);
    const third = await ask('PUT', 'sys/wrapping/unwrap', { token: await token() });
    expect(data(third)).toEqual({ x: '1' });
  });

  test('returns the response to one of concurrent requests', async () => {
    const { token, unwrap, unwrapAs } = await wrapper();
    const wrapping = await token();
    const replies = await Promise.all([unwrap(wrapping), unwrapAs(wrapping), unwrap(wrapping)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('needs a valid wrapping token, and a permission', async () => {
    const { token, unwrap, unwrapAs, post, createToken, get } = await wrapper();
    for (const reply of [await unwrap('nope'), await unwrap(rootToken), await unwrapAs(rootToken)])
      expect(outcome(reply)).toBe(invalid);
    const error = (text: string) => `403 error validating wrapping token: ${text}`;
    expect(outcome(await unwrap(''))).toEqual(error('empty token in request body'));
    expect(outcome(await post('sys/wrapping/unwrap', { token: ['a'] }))).toEqual(
      error('could not decode token in request body'),
    );
    expect(outcome(await post('sys/wrapping/unwrap', {}, null))).toEqual(error('token is empty'));
    const wrapping = await token();
    expect(outcome(await unwrap(wrapping, null))).toBe('403 permission denied');
    expect((await unwrap(wrapping, 'hvs.unknown')).status).toBe(403);
    const weak = await createToken({ policies: ['none'], no_default_policy: true });
    expect(outcome(await unwrap(wrapping, weak.client_token))).toBe(denied);
    const usual = await createToken({ policies: ['default'] });
    expect(data(await unwrap(wrapping, usual.client_token))).toEqual({ x: '1' });
    const another = await token();
    expect(outcome(await post('sys/wrapping/unwrap', { token: another }, another))).toBe(invalid);
    const third = await token();
    expect(outcome(await get('sys/wrapping/unwrap', third))).toBe(denied);
    expect(outcome(await unwrap(third))).toBe(invalid);
  });

  test('fails when the lifetime has passed', async () => {
    const { token, unwrap, pass, post } = await wrapper();
    const wrapping = await token('60');
    pass(59);
    expect((await post('sys/wrapping/lookup', { token: wrapping })).status).toBe(200);
    pass(1);
    expect(outcome(await unwrap(wrapping))).toBe(invalid);
    expect(outcome(await post('sys/wrapping/lookup', { token: wrapping }))).toBe(invalid);
  });

  test('may be wrapped again, by the request or by rewrap', async () => {
    const { token, wrap, unwrap, ask, post, unwrapAs } = await wrapper();
    const again = await wrap('sys/wrapping/unwrap', { body: { token: await token() } }, 'PUT');
    expect(again).toMatchObject({ creation_path: 'sys/wrapping/unwrap' });
    expect(data(await unwrap(again.token))).toEqual({ x: '1' });
    const first = await token('2m');
    const rewrapped = wrapInfoOf(await post('sys/wrapping/rewrap', { token: first }));
    expect(rewrapped).toMatchObject({ ttl: 120, creation_path: 'v1/a' });
    expect(outcome(await unwrap(first))).toBe(invalid);
    expect(data(await unwrap(rewrapped.token))).toEqual({ x: '1' });
    for (const [ttl, expected] of [
      ['30', 30],
      ['99', 60],
    ] as const) {
      const body = { token: await token() };
      expect(await wrap('sys/wrapping/rewrap', { body }, 'PUT', ttl)).toMatchObject({ ttl: expected });
    }
    const own = await token();
    expect(outcome(await ask('PUT', 'sys/wrapping/rewrap', { token: own }))).toBe(denied);
    expect(outcome(await unwrapAs(own))).toBe(invalid);
  });
});

test('looking up a wrapping token needs no other token, and does not use it', async () => {
  const { token, post, ask, unwrapAs, get } = await wrapper();
  const wrapping = await token();
  const info = { creation_path: 'v1/a', creation_time: '2026-03-01T00:00:00.000Z', creation_ttl: 60 };
  for (const reply of [
    await post('sys/wrapping/lookup', { token: wrapping }, null),
    await get('sys/wrapping/lookup', wrapping),
    await ask('PUT', 'sys/wrapping/lookup', { token: wrapping }),
  ])
    expect(data(reply)).toEqual(info);
  expect(outcome(await post('sys/wrapping/lookup', { token: 'nope' }, null))).toBe(invalid);
  expect(outcome(await get('sys/wrapping/lookup', null))).toBe(
    '403 error validating wrapping token: token is empty',
  );
  expect((await unwrapAs(wrapping)).status).toBe(200);
});

test('any data can be wrapped, with a lifetime', async () => {
  const { wrap, post, unwrap, get } = await wrapper();
  const body = { a: 1, b: { c: [1, 2] } };
  const info = await wrap('sys/wrapping/wrap', { body }, 'POST', '2m');
  expect(info).toMatchObject({ ttl: 120, creation_path: 'sys/wrapping/wrap' });
  expect(data(await unwrap(info.token))).toEqual(body);
  expect(outcome(await post('sys/wrapping/wrap', body))).toBe(
    '400 endpoint requires response wrapping to be used',
  );
  expect((await get('sys/wrapping/wrap')).status).toBe(405);
});

describe('a wrapping token', () => {
  test('is an orphan with one use that permits nothing else', async () => {
    const { token, post, get } = await wrapper();
    const wrapping = await token();
    expect(data(await post('auth/token/lookup', { token: wrapping }))).toMatchObject({
      policies: ['response-wrapping'],
      path: 'v1/a',
      display_name: '',
      num_uses: 1,
      orphan: true,
      renewable: false,
      creation_ttl: 60,
      explicit_max_ttl: 60,
    });
    for (const path of ['auth/token/lookup-self', 'v1/a', 'cubbyhole/wrapinfo'])
      expect(outcome(await get(path, await token()))).toBe(denied);
    const direct = await get('cubbyhole/response', wrapping);
    expect(JSON.parse(String(data(direct)?.response))).toMatchObject({ data: { x: '1' } });
    expect(direct.json?.warnings).toEqual([
      expect.stringContaining("Reading from 'cubbyhole/response' is deprecated."),
    ]);
    expect(outcome(await post('sys/wrapping/unwrap', { token: wrapping }))).toBe(invalid);
  });

  test('is revoked by its accessor, with the response', async () => {
    const { wrap, post, unwrap } = await wrapper();
    const { token, accessor } = await wrap('v1/a');
    expect((await post('auth/token/revoke-accessor', { accessor })).status).toBe(204);
    expect(outcome(await unwrap(token))).toBe(invalid);
  });

  test('has a policy that cannot be changed or assigned', async () => {
    const { post, put, get, list, remove } = await wrapper();
    const path = 'sys/policies/acl/response-wrapping';
    expect(data(await get(path))?.policy).toContain('sys/wrapping/unwrap');
    expect(data(await list('sys/policies/acl'))?.keys).toEqual(['default', 'root']);
    const written = await put(path, { policy: 'path "a" { capabilities = ["read"] }' });
    expect(outcome(written)).toBe('400 cannot update "response-wrapping" policy');
    expect(outcome(await remove(path))).toBe('400 cannot delete "response-wrapping" policy');
    await post('sys/auth/up', { type: 'userpass' });
    await post('auth/up/users/u', { password: 'p', token_policies: 'response-wrapping' });
    for (const reply of [
      await post('auth/token/create', { policies: ['response-wrapping'] }),
      await post('auth/up/login/u', { password: 'p' }, null),
    ])
      expect(outcome(reply)).toBe('400 cannot assign policy "response-wrapping"');
  });

  test('is of the namespace of the response, and valid in every namespace', async () => {
    const { wrap, post, unwrap, unwrapAs, remove } = await wrapper();
    await post('sys/namespaces/ns1');
    await post('sys/namespaces/ns2');
    const make = async () => (await wrap('ns1/sys/policies/acl', {}, 'LIST')).token;
    expect((await post('sys/wrapping/lookup', { token: await make() }, null)).status).toBe(200);
    for (const path of ['', 'ns1/', 'ns2/']) {
      const reply = await post(`${path}sys/wrapping/unwrap`, {}, await make());
      expect(data(reply)).toEqual({ keys: ['default'] });
    }
    expect((await unwrap(await make())).status).toBe(200);
    const lost = await make();
    expect((await remove('sys/namespaces/ns1')).status).toBe(200);
    expect(outcome(await unwrapAs(lost))).toBe(invalid);
  });

  test('is valid after a restart', async () => {
    const dataDirectory = await folder();
    const first = await wrapper({ dataDirectory });
    const [spent, valid] = [await first.token(), await first.token()];
    await first.unwrap(spent);
    await first.close();
    const { post } = await secrets({ engines, dataDirectory });
    expect(outcome(await post('sys/wrapping/unwrap', { token: spent }))).toBe(invalid);
    expect(data(await post('sys/wrapping/unwrap', { token: valid }))).toEqual({ x: '1' });
  });
});

describe('a policy with wrapping lifetimes', () => {
  const stanza = (fields: string) => `path "v1/*" { capabilities = ["read"]\n${fields} }`;

  test.each([
    ['min_wrapping_ttl = "60s"\nmax_wrapping_ttl = "2m"', [30, 121, 0], [60, 120]],
    ['min_wrapping_ttl = 60', [59, 0], [60, 6000]],
    ['max_wrapping_ttl = "1m"', [61, 0], [1, 60]],
    ['', [], [0, 1, 6000]],
  ])('requires wrapped responses: %s', async (fields, rejected, allowed) => {
    const { wrapped, tokenWith } = await wrapper();
    const token = await tokenWith(stanza(fields));
    const read = async (ttl: number) => (await wrapped('v1/a', String(ttl), { token })).status;
    for (const ttl of rejected) expect(await read(ttl), `${ttl}`).toBe(403);
    for (const ttl of allowed) expect(await read(ttl), `${ttl}`).toBe(200);
  });

  test('takes the lower of several limits', async () => {
    const { policy, createToken, wrapped } = await wrapper();
    await policy('p', stanza('min_wrapping_ttl = "60s"'));
    await policy('q', stanza('min_wrapping_ttl = "30s"\nmax_wrapping_ttl = "90s"'));
    const { client_token: token } = await createToken({ policies: ['p', 'q'] });
    const read = async (ttl: number) => (await wrapped('v1/a', String(ttl), { token })).status;
    expect([await read(29), await read(30), await read(90), await read(91)]).toEqual([403, 200, 200, 403]);
  });

  const json = (fields: object) =>
    JSON.stringify({ path: { 'v1/*': { capabilities: ['read'], ...fields } } });

  test.each([
    [
      stanza('min_wrapping_ttl = "60s"\nmax_wrapping_ttl = "10s"'),
      /^400 .*max_wrapping_ttl cannot be less than min_wrapping_ttl/,
    ],
    [stanza('min_wrapping_ttl = "x"'), /^400 .*error parsing min_wrapping_ttl: time: invalid duration "x"/],
    [stanza('min_wrapping_ttl = ["1s"]'), /^400 .*expected a duration/],
    [
      json({ min_wrapping_ttl: 60, max_wrapping_ttl: '10s' }),
      /^400 .*max_wrapping_ttl cannot be less than min_wrapping_ttl/,
    ],
    [json({ max_wrapping_ttl: {} }), /^400 .*error parsing max_wrapping_ttl/],
    [json({ min_wrapping_ttl: 60 }), /^204$/],
  ])('is written with valid lifetimes only: %s', async (policy, expected) => {
    const { put } = await wrapper();
    expect(outcome(await put('sys/policies/acl/p', { policy }))).toMatch(expected);
  });
});
