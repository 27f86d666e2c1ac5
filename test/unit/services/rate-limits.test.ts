import { describe, expect, test } from 'vitest';
import type { RateLimits } from '../../../src/services/rate-limits.ts';
import { type Call, call, rootToken, start } from './support.ts';

/** Services with limits and a clock that only moves when told to. */
async function limited(rateLimits: RateLimits) {
  let now = Date.parse('2026-01-02T12:00:00.400Z');
  const started = await start({ rateLimits, clock: () => new Date(now) });
  return {
    ...started,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    get: (service: keyof RateLimits, path: string, options: Call = {}) =>
      call(started.addresses[service], 'GET', path, options),
    put: (service: keyof RateLimits, path: string, options: Call = {}) =>
      call(started.addresses[service], 'PUT', path, options),
  };
}

/** The status of each of some requests, one after the other. */
async function statuses(count: number, send: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let sent = 0; sent < count; sent++) found.push((await send()).status);
  return found;
}

describe('the account service with the limits of Boundary', () => {
  const methods = '/v1/auth-methods?scope_id=global';

  test('accepts 150 lists of a resource from a token in 30 seconds, from the first one on', async () => {
    const { get, pass, accountsToken } = await limited({ accounts: 'boundary' });
    const list = () =>
      get('accounts', methods, { token: null, headers: { Authorization: `Bearer ${accountsToken}` } });
    const first = await list();
    expect(first.headers).toMatchObject({
      ratelimit: 'limit=150, remaining=149, reset=30',
      'ratelimit-policy':
        '1500;w=30;comment="total", 1500;w=30;comment="ip-address", 150;w=30;comment="auth-token"',
    });
    expect(first.headers['retry-after']).toBeUndefined();
    pass(10_500);
    expect(await statuses(149, list)).toEqual(Array(149).fill(200));
    const rejected = await list();
    expect([rejected.status, rejected.text]).toEqual([429, '']);
    expect(rejected.headers).toMatchObject({
      ratelimit: 'limit=150, remaining=0, reset=20',
      'retry-after': '20',
    });
    // Another action, another resource and another token have their own limits.
    const auth = { token: null, headers: { Authorization: `Bearer ${accountsToken}` } };
    const account = await get('accounts', '/v1/accounts/acctpw_1234567890', auth);
    expect([account.status, account.headers.ratelimit]).toEqual([
      200,
      'limit=3000, remaining=2999, reset=30',
    ]);
    expect((await get('accounts', '/v1/scopes?scope_id=global', auth)).status).toBe(200);
    expect((await get('accounts', methods, { token: null })).status).toBe(200);
    pass(19_500);
    expect((await list()).headers.ratelimit).toBe('limit=150, remaining=149, reset=30');
  });

  test('accepts 1,500 lists of a resource from all tokens, and does not limit paths without a resource', async () => {
    const { get } = await limited({ accounts: 'boundary' });
    const tokens = Array.from({ length: 10 }, (_, index) => `Bearer at_other${index}_secret`);
    for (const Authorization of tokens)
      await statuses(150, () => get('accounts', methods, { token: null, headers: { Authorization } }));
    const other = await get('accounts', methods, { token: null });
    expect([other.status, other.headers.ratelimit]).toEqual([429, 'limit=1500, remaining=0, reset=30']);
    const unknown = await get('accounts', '/v2/nothing', { token: null });
    expect([unknown.status, unknown.headers.ratelimit]).toEqual([404, undefined]);
  });

  test('counts actions of an item by their names', async () => {
    const { addresses } = await limited({ accounts: 1 });
    const post = (path: string) =>
      call(addresses.accounts, 'POST', path, { token: null, body: {} }).then(({ status }) => status);
    expect(await post('/v1/accounts/acctpw_1234567890:set-password')).not.toBe(429);
    expect(await post('/v1/accounts/acctpw_1234567890:change-password')).not.toBe(429);
    expect(await post('/v1/accounts/acctpw_1234567890:set-password')).toBe(429);
    expect(await post('/v1/auth-methods/ampw_1234567890:authenticate')).not.toBe(429);
    expect(await post('/v1/auth-methods/ampw_1234567890:authenticate:login')).not.toBe(429);
  });
});

test('the secrets service responds as OpenBao with a quota, except in paths that are exempt', async () => {
  const { get, pass } = await limited({ secrets: 2 });
  const auth = { token: rootToken };
  const first = await get('secrets', '/v1/sys/mounts', auth);
  expect([first.status, first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']]).toEqual([
    200,
    '2',
    '1',
  ]);
  pass(500);
  await get('secrets', '/v1/sys/mounts', auth);
  const rejected = await get('secrets', '/v1/sys/policies/acl/', auth);
  expect([rejected.status, rejected.json]).toEqual([
    429,
    { errors: ['request path "sys/policies/acl/": rate limit quota exceeded'] },
  ]);
  // Seconds are cut off, as in OpenBao.
  expect(rejected.headers).toMatchObject({
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '0',
    'retry-after': '0',
  });
  expect((await get('secrets', '/v1/sys/health', auth)).status).toBe(200);
  pass(500);
  expect((await get('secrets', '/v1/sys/mounts', auth)).status).toBe(200);
});

test('the registry responds as a Consul server with request limits: reads and writes apart, after a burst', async () => {
  const { get, put, pass } = await limited({ registry: 2 });
  const read = () => get('registry', '/v1/kv/x', { token: null });
  const write = () => put('registry', '/v1/kv/x', { token: null, body: 'y' });
  expect(await statuses(21, read)).toEqual([...Array(20).fill(404), 429]);
  const rejected = await read();
  expect([
    rejected.text,
    rejected.headers['retry-after'],
    rejected.headers['x-consul-default-acl-policy'],
  ]).toEqual(['rate limit exceeded, try again later or against a different server', undefined, 'allow']);
  expect(await statuses(20, write)).toEqual(Array(20).fill(200));
  const write21 = await write();
  expect([write21.status, write21.text]).toEqual([
    503,
    'rate limit exceeded for operation that can only be performed by the leader, try again later',
  ]);
  expect((await get('registry', '/v1/status/leader', { token: null })).status).toBe(200);
  pass(1000);
  expect(await statuses(3, read)).toEqual([200, 200, 429]);
});

test('the scheduler responds as Nomad to a client with too many connections', async () => {
  const { get, pass } = await limited({ scheduler: 1 });
  const list = () => get('scheduler', '/v1/namespaces', { token: null });
  expect((await list()).status).toBe(200);
  const rejected = await list();
  expect([rejected.status, rejected.text, rejected.headers.connection]).toEqual([
    429,
    'Your IP is issuing too many concurrent connections, please rate limit your calls\n',
    'close',
  ]);
  pass(1000);
  expect((await list()).status).toBe(200);
});

test('the box registry counts per minute of the clock', async () => {
  const { get, pass } = await limited({ box: 1 });
  const search = () => get('box', '/api/v1/search', { token: null });
  expect((await search()).headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
  pass(30_000);
  const rejected = await search();
  expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '30']);
  pass(29_600);
  expect((await search()).status).toBe(200);
});
