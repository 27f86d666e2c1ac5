import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { folder, type Reply, rootToken } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { data, errors, secrets } from './support.ts';

const t0 = Date.parse('2026-03-01T00:00:00Z');
const invalid = [400, ['wrapping token is not valid or does not exist']];
const denied = [403, [decorated('permission denied')]];

/** A service with a clock, a key-value mount of version 1 with one secret, and short functions. */
async function wrapper(options: Parameters<typeof secrets>[0] = {}) {
  let now = t0;
  const service = await secrets({ engines, clock: () => new Date(now), ...options });
  const post = (path: string, body: Record<string, Json> = {}, token: string | null = rootToken) =>
    service.ask('POST', path, { body, token });
  await post('sys/mounts/v1', { type: 'kv-v1' });
  await post('v1/a', { x: '1' });
  const wrapped = (path: string, ttl: string, more: Parameters<typeof service.ask>[2] = {}, method = 'GET') =>
    service.ask(method, path, { ...more, headers: { 'X-Vault-Wrap-TTL': ttl, ...more.headers } });
  /** A new wrapping token of the secret. */
  const token = async (ttl = '60') => wrapInfoOf(await wrapped('v1/a', ttl)).token;
  return {
    ...service,
    post,
    wrapped,
    token,
    unwrap: (wrapping: string, as: string | null = rootToken) =>
      post('sys/wrapping/unwrap', { token: wrapping }, as),
    unwrapAs: (as: string) => post('sys/wrapping/unwrap', {}, as),
    pass(seconds: number) {
      now += seconds * 1000;
    },
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
    expect(errors(await wrapped('v1/a', 'banana'))).toEqual([
      400,
      [`${header}: time: invalid duration "banana"`],
    ]);
    expect(errors(await wrapped('v1/a', '-5'))).toEqual([
      400,
      [`${header}: requested wrap ttl cannot be negative`],
    ]);
    expect(errors(await wrapped('v1/a', '60', { headers: { 'X-Vault-Wrap-Format': 'jwt' } }))).toEqual([
      400,
      ['X-Vault-Wrap-Format "jwt" is not supported'],
    ]);
    expect(errors(await wrapped('v1/none', '60'))).toEqual([404, []]);
    expect((await wrapped('none/a', '60')).status).toBe(404);
  });

  test('names the accessor of a token or secret ID in it', async () => {
    const { ask, post, wrapped, unwrap } = await wrapper();
    const created = wrapInfoOf(
      await wrapped('auth/token/create', '60', { body: { policies: ['default'] } }, 'POST'),
    );
    expect(created).toMatchObject({ creation_path: 'auth/token/create' });
    expect((await unwrap(created.token)).json?.auth).toMatchObject({ accessor: created.wrapped_accessor });
    await post('sys/auth/ar', { type: 'approle' });
    await post('auth/ar/role/r');
    const issued = wrapInfoOf(await wrapped('auth/ar/role/r/secret-id', '60', { body: {} }, 'POST'));
    const { secret_id: secretId, secret_id_accessor: accessor } = data(await unwrap(issued.token)) ?? {};
    expect(accessor).toBe(issued.wrapped_accessor);
    const { role_id: roleId } = data(await ask('GET', 'auth/ar/role/r/role-id')) ?? {};
    const login = { body: { role_id: String(roleId), secret_id: String(secretId) }, token: null };
    const entered = wrapInfoOf(await wrapped('auth/ar/login', '60', login, 'POST'));
    expect(entered).toMatchObject({ creation_path: 'auth/ar/login' });
    expect((await unwrap(entered.token)).json?.auth).toMatchObject({ accessor: entered.wrapped_accessor });
  });

  test('is that of a list, of plain text, of a deleted version', async () => {
    const { post, wrapped, unwrap, ask } = await wrapper();
    const list = wrapInfoOf(await wrapped('v1', '60', {}, 'LIST'));
    expect(list).toMatchObject({ creation_path: 'v1/' });
    expect(data(await unwrap(list.token))).toEqual({ keys: ['a'] });
    await post('ssh/config/ca', { generate_signing_key: true, key_type: 'ed25519' });
    const key = await unwrap(wrapInfoOf(await wrapped('ssh/public_key', '60', { token: null })).token);
    expect([key.headers['content-type'], key.text]).toEqual([
      expect.stringContaining('text/plain'),
      (await ask('GET', 'ssh/public_key')).text,
    ]);
    await post('sys/mounts/v2', { type: 'kv-v2' });
    await post('v2/data/d', { data: { x: 1 } });
    await ask('DELETE', 'v2/data/d');
    const deleted = await unwrap(wrapInfoOf(await wrapped('v2/data/d', '60')).token);
    expect([deleted.status, data(deleted)?.data]).toEqual([404, null]);
  });
});

describe('unwrapping', () => {
  test('returns the response once, with another token or with the wrapping token', async () => {
    const { token, unwrap, unwrapAs, ask } = await wrapper();
    const first = await token();
    expect((await unwrap(first)).json).toMatchObject({ data: { x: '1' }, wrap_info: null });
    expect(errors(await unwrap(first))).toEqual(invalid);
    const second = await token();
    expect(data(await unwrapAs(second))).toEqual({ x: '1' });
    expect(errors(await unwrapAs(second))).toEqual(invalid);
    const third = await token();
    const put = await ask('PUT', 'sys/wrapping/unwrap', { token: third });
    expect(data(put)).toEqual({ x: '1' });
  });

  test('returns the response to one of concurrent requests', async () => {
    const { token, unwrap, unwrapAs } = await wrapper();
    const wrapping = await token();
    const replies = await Promise.all([unwrap(wrapping), unwrapAs(wrapping), unwrap(wrapping)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('needs a valid wrapping token, and a permission', async () => {
    const { token, unwrap, unwrapAs, post, createToken, ask } = await wrapper();
    expect(errors(await unwrap('nope'))).toEqual(invalid);
    expect(errors(await unwrap(rootToken))).toEqual(invalid);
    expect(errors(await unwrapAs(rootToken))).toEqual(invalid);
    const error = (text: string) => [403, [`error validating wrapping token: ${text}`]];
    expect(errors(await unwrap(''))).toEqual(error('empty token in request body'));
    expect(errors(await post('sys/wrapping/unwrap', { token: ['a'] }))).toEqual(
      error('could not decode token in request body'),
    );
    expect(errors(await post('sys/wrapping/unwrap', {}, null))).toEqual(error('token is empty'));
    const wrapping = await token();
    expect(errors(await unwrap(wrapping, null))).toEqual([403, ['permission denied']]);
    expect((await unwrap(wrapping, 'hvs.unknown')).status).toBe(403);
    const weak = await createToken({ policies: ['none'], no_default_policy: true });
    expect(errors(await unwrap(wrapping, weak.client_token))).toEqual(denied);
    const usual = await createToken({ policies: ['default'] });
    expect(data(await unwrap(wrapping, usual.client_token))).toEqual({ x: '1' });
    const another = await token();
    expect(errors(await post('sys/wrapping/unwrap', { token: another }, another))).toEqual(invalid);
    const third = await token();
    expect(errors(await ask('GET', 'sys/wrapping/unwrap', { token: third }))).toEqual(denied);
    expect(errors(await unwrap(third))).toEqual(invalid);
  });

  test('fails when the lifetime has passed', async () => {
    const { token, unwrap, pass, post } = await wrapper();
    const wrapping = await token('60');
    pass(59);
    expect((await post('sys/wrapping/lookup', { token: wrapping })).status).toBe(200);
    pass(1);
    expect(errors(await unwrap(wrapping))).toEqual(invalid);
    expect(errors(await post('sys/wrapping/lookup', { token: wrapping }))).toEqual(invalid);
  });

  test('may be wrapped again, by the request or by rewrap', async () => {
    const { token, wrapped, unwrap, ask, post, unwrapAs } = await wrapper();
    const body = { token: await token() };
    const again = wrapInfoOf(await wrapped('sys/wrapping/unwrap', '60', { body }, 'PUT'));
    expect(again).toMatchObject({ creation_path: 'sys/wrapping/unwrap' });
    expect(data(await unwrap(again.token))).toEqual({ x: '1' });
    const first = await token('2m');
    const rewrapped = wrapInfoOf(await post('sys/wrapping/rewrap', { token: first }));
    expect(rewrapped).toMatchObject({ ttl: 120, creation_path: 'v1/a' });
    expect(errors(await unwrap(first))).toEqual(invalid);
    expect(data(await unwrap(rewrapped.token))).toEqual({ x: '1' });
    const shorter = await wrapped('sys/wrapping/rewrap', '30', { body: { token: await token() } }, 'PUT');
    expect(wrapInfoOf(shorter)).toMatchObject({ ttl: 30 });
    const longer = await wrapped('sys/wrapping/rewrap', '99', { body: { token: await token() } }, 'PUT');
    expect(wrapInfoOf(longer)).toMatchObject({ ttl: 60 });
    const own = await token();
    expect(errors(await ask('PUT', 'sys/wrapping/rewrap', { token: own }))).toEqual(denied);
    expect(errors(await unwrapAs(own))).toEqual(invalid);
  });
});

test('looking up a wrapping token needs no other token, and does not use it', async () => {
  const { token, post, ask, unwrapAs } = await wrapper();
  const wrapping = await token();
  const info = { creation_path: 'v1/a', creation_time: '2026-03-01T00:00:00.000Z', creation_ttl: 60 };
  expect(data(await post('sys/wrapping/lookup', { token: wrapping }, null))).toEqual(info);
  expect(data(await ask('GET', 'sys/wrapping/lookup', { token: wrapping }))).toEqual(info);
  expect(data(await ask('PUT', 'sys/wrapping/lookup', { token: wrapping }))).toEqual(info);
  expect(errors(await post('sys/wrapping/lookup', { token: 'nope' }, null))).toEqual(invalid);
  expect(errors(await ask('GET', 'sys/wrapping/lookup', { token: null }))).toEqual([
    403,
    ['error validating wrapping token: token is empty'],
  ]);
  expect((await unwrapAs(wrapping)).status).toBe(200);
});

test('any data can be wrapped, with a lifetime', async () => {
  const { wrapped, post, unwrap, ask } = await wrapper();
  const body = { a: 1, b: { c: [1, 2] } };
  const info = wrapInfoOf(await wrapped('sys/wrapping/wrap', '2m', { body }, 'POST'));
  expect(info).toMatchObject({ ttl: 120, creation_path: 'sys/wrapping/wrap' });
  expect(data(await unwrap(info.token))).toEqual(body);
  expect(errors(await post('sys/wrapping/wrap', body))).toEqual([
    400,
    ['endpoint requires response wrapping to be used'],
  ]);
  expect((await ask('GET', 'sys/wrapping/wrap')).status).toBe(405);
});

describe('a wrapping token', () => {
  test('is an orphan with one use that permits nothing else', async () => {
    const { token, post, ask } = await wrapper();
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
      expect(errors(await ask('GET', path, { token: await token() }))).toEqual(denied);
    const direct = await ask('GET', 'cubbyhole/response', { token: wrapping });
    expect(JSON.parse(String(data(direct)?.response))).toMatchObject({ data: { x: '1' } });
    expect(direct.json?.warnings).toEqual([
      expect.stringContaining("Reading from 'cubbyhole/response' is deprecated."),
    ]);
    expect(errors(await post('sys/wrapping/unwrap', { token: wrapping }))).toEqual(invalid);
  });

  test('is revoked by its accessor, with the response', async () => {
    const { wrapped, post, unwrap } = await wrapper();
    const { token, accessor } = wrapInfoOf(await wrapped('v1/a', '60'));
    expect((await post('auth/token/revoke-accessor', { accessor })).status).toBe(204);
    expect(errors(await unwrap(token))).toEqual(invalid);
  });

  test('has a policy that cannot be changed or assigned', async () => {
    const { ask, post } = await wrapper();
    const path = 'sys/policies/acl/response-wrapping';
    expect(data(await ask('GET', path))?.policy).toContain('sys/wrapping/unwrap');
    expect(data(await ask('LIST', 'sys/policies/acl'))?.keys).toEqual(['default', 'root']);
    const body = { policy: 'path "a" { capabilities = ["read"] }' };
    expect(errors(await ask('PUT', path, { body }))).toEqual([
      400,
      ['cannot update "response-wrapping" policy'],
    ]);
    expect(errors(await ask('DELETE', path))).toEqual([400, ['cannot delete "response-wrapping" policy']]);
    expect(errors(await post('auth/token/create', { policies: ['response-wrapping'] }))).toEqual([
      400,
      ['cannot assign policy "response-wrapping"'],
    ]);
    await post('sys/auth/up', { type: 'userpass' });
    await post('auth/up/users/u', { password: 'p', token_policies: 'response-wrapping' });
    expect(errors(await post('auth/up/login/u', { password: 'p' }, null))).toEqual([
      400,
      ['cannot assign policy "response-wrapping"'],
    ]);
  });

  test('is of the namespace of the response, and valid in every namespace', async () => {
    const { wrapped, ask, post, unwrap, unwrapAs } = await wrapper();
    await post('sys/namespaces/ns1');
    await post('sys/namespaces/ns2');
    const make = async () => wrapInfoOf(await wrapped('ns1/sys/policies/acl', '60', {}, 'LIST')).token;
    expect((await post('sys/wrapping/lookup', { token: await make() }, null)).status).toBe(200);
    for (const path of ['', 'ns1/', 'ns2/']) {
      const reply = await ask('POST', `${path}sys/wrapping/unwrap`, { token: await make(), body: {} });
      expect(data(reply)).toEqual({ keys: ['default'] });
    }
    expect((await unwrap(await make())).status).toBe(200);
    const lost = await make();
    expect((await ask('DELETE', 'sys/namespaces/ns1')).status).toBe(200);
    expect(errors(await unwrapAs(lost))).toEqual(invalid);
  });

  test('is valid after a restart', async () => {
    const dataDirectory = await folder();
    const first = await wrapper({ dataDirectory });
    const [spent, kept] = [await first.token(), await first.token()];
    await first.unwrap(spent);
    await first.close();
    const second = await secrets({ engines, clock: () => new Date(t0 + 1000), dataDirectory });
    const unwrap = (token: string) => second.ask('POST', 'sys/wrapping/unwrap', { body: { token } });
    expect(errors(await unwrap(spent))).toEqual(invalid);
    expect(data(await unwrap(kept))).toEqual({ x: '1' });
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
    const { policy, createToken, wrapped } = await wrapper();
    await policy('p', stanza(fields));
    const { client_token: token } = await createToken({ policies: ['p'] });
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

  test('is rejected with invalid lifetimes, in HCL and JSON', async () => {
    const { ask } = await wrapper();
    const put = async (policy: string) => {
      const reply = await ask('PUT', 'sys/policies/acl/p', { body: { policy } });
      return [reply.status, String((reply.json?.errors as readonly string[] | undefined)?.[0])];
    };
    const inverted = 'max_wrapping_ttl cannot be less than min_wrapping_ttl';
    const json = (fields: Json) => JSON.stringify({ path: { 'v1/*': fields as never } });
    expect(await put(stanza('min_wrapping_ttl = "60s"\nmax_wrapping_ttl = "10s"'))).toEqual([
      400,
      expect.stringContaining(inverted),
    ]);
    expect(await put(stanza('min_wrapping_ttl = "x"'))).toEqual([
      400,
      expect.stringContaining('error parsing min_wrapping_ttl: time: invalid duration "x"'),
    ]);
    expect(await put(stanza('min_wrapping_ttl = ["1s"]'))).toEqual([
      400,
      expect.stringContaining('expected a duration'),
    ]);
    expect(
      await put(json({ capabilities: ['read'], min_wrapping_ttl: 60, max_wrapping_ttl: '10s' })),
    ).toEqual([400, expect.stringContaining(inverted)]);
    expect(await put(json({ capabilities: ['read'], max_wrapping_ttl: {} }))).toEqual([
      400,
      expect.stringContaining('error parsing max_wrapping_ttl'),
    ]);
    expect((await put(json({ capabilities: ['read'], min_wrapping_ttl: 60 })))[0]).toBe(204);
  });
});
