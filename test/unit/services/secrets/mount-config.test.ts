import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { data, outcome, secrets } from './support.ts';

/** A service with the real engines, and a function that mounts a key-value engine with a configuration. */
async function configured() {
  const service = await secrets({ engines });
  const mount = (path: string, config: Json, type = 'kv') =>
    service.post(`sys/mounts/${path}`, { type, config });
  const configOf = async (path: string) => data(await service.get(path))?.config;
  return { ...service, mount, configOf };
}

describe('the configuration of a mount', () => {
  test.each([
    [{ default_lease_ttl: '10m' }, { default_lease_ttl: 600, max_lease_ttl: 0 }],
    [
      { default_lease_ttl: '', max_lease_ttl: '' },
      { default_lease_ttl: 0, max_lease_ttl: 0 },
    ],
    [
      { default_lease_ttl: 600, max_lease_ttl: '3600' },
      { default_lease_ttl: 600, max_lease_ttl: 3600 },
    ],
    [
      { default_lease_ttl: 'system', max_lease_ttl: '1d' },
      { default_lease_ttl: 0, max_lease_ttl: 86_400 },
    ],
    [
      { options: null, force_no_cache: true, other: 1 },
      { force_no_cache: true, default_lease_ttl: 0 },
    ],
    [{ listing_visibility: 'hidden' }, { listing_visibility: 'hidden' }],
    [{ audit_non_hmac_request_keys: 'a,b' }, { audit_non_hmac_request_keys: ['a', 'b'] }],
    [null, { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false }],
  ] satisfies readonly [Json, object][])('%j is shown as %j', async (config, shown) => {
    const { mount, configOf } = await configured();
    expect((await mount('a', config)).status).toBe(204);
    expect(await configOf('sys/mounts/a')).toMatchObject(shown);
  });

  test.each([
    [
      { default_lease_ttl: 'banana' },
      'unable to parse default TTL of banana: time: invalid duration "banana"',
    ],
    [{ max_lease_ttl: 'banana' }, 'unable to parse max TTL of banana: time: invalid duration "banana"'],
    [{ default_lease_ttl: 1.5 }, 'unable to parse default TTL of 1.5: time: invalid duration "1.5"'],
    [{ default_lease_ttl: ' 90' }, 'unable to parse default TTL of  90: time: invalid duration " 90"'],
    [{ default_lease_ttl: -1 }, 'unable to parse default TTL of -1: a lease TTL cannot be negative'],
    [{ default_lease_ttl: true }, 'unable to convert given mount config information'],
    [{ force_no_cache: 'x' }, 'unable to convert given mount config information'],
    [
      { default_lease_ttl: '2h', max_lease_ttl: '1h' },
      'given default lease TTL greater than given max lease TTL',
    ],
    [{ default_lease_ttl: '9999h' }, 'given default lease TTL greater than system max lease TTL of 2764800'],
    [{ listing_visibility: 'x' }, 'invalid listing_visibility x'],
    [
      'x',
      'Field validation failed: error converting input for field "config": expected an object, got an invalid string',
    ],
  ] satisfies readonly [Json, string][])('rejects %j', async (config, error) => {
    const { mount, get } = await configured();
    expect(outcome(await mount('a', config))).toBe(`400 ${error}`);
    expect((await get('sys/mounts/a')).status).toBe(400);
  });

  test('of an auth method has a token type', async () => {
    const { configOf, post } = await configured();
    const enable = (path: string, config: Json) => post(`sys/auth/${path}`, { type: 'userpass', config });
    for (const [path, config, token_type] of [
      ['a', { default_lease_ttl: '' }, 'default-service'],
      ['b', { token_type: 'service' }, 'service'],
      ['batch', { token_type: 'default-batch' }, 'default-batch'],
      // Only engines keep it (OpenBao 2.6.2).
      ['cached', { force_no_cache: true }, 'default-service'],
    ] as const) {
      expect((await enable(path, config)).status).toBe(204);
      expect(await configOf(`sys/auth/${path}`)).toMatchObject({
        token_type,
        max_lease_ttl: 0,
        force_no_cache: false,
      });
    }
    expect(outcome(await enable('c', { token_type: 'x' }))).toBe("400 invalid value for 'token_type'");
    expect(outcome(await enable('c', { user_lockout_config: {} }))).toBe(
      '400 user_lockout_config is not supported',
    );
  });

  test('is complete for every listed mount, built-in ones included', async () => {
    const { mount, get } = await configured();
    await mount('a', { default_lease_ttl: '10m' });
    const mounts = Object.values(data(await get('sys/mounts')) ?? {});
    const methods = Object.values(data(await get('sys/auth')) ?? {});
    const ttl = expect.any(Number);
    const config = { default_lease_ttl: ttl, max_lease_ttl: ttl, force_no_cache: false };
    for (const each of [...mounts, ...methods]) expect(each).toMatchObject({ config });
    expect(methods).toMatchObject([{ type: 'token', config: { token_type: 'default-service' } }]);
  });

  test('is changed by tune, which shows the lifetimes in force', async () => {
    const { mount, post, get } = await configured();
    await mount('a', { default_lease_ttl: '10m' });
    const system = 2_764_800;
    const limits = '400 backend max lease TTL of 3600 would be less than backend default lease TTL of 7200';
    for (const [body, expected, ttls] of [
      [{}, '204', [600, system]],
      [{ default_lease_ttl: '', max_lease_ttl: '1h' }, '204', [600, 3600]],
      [{ default_lease_ttl: '2h' }, limits, [600, 3600]],
      [{ default_lease_ttl: 'banana' }, '400 time: invalid duration "banana"', [600, 3600]],
      [{ token_type: 'service' }, "400 'token_type' can only be modified on auth mounts", [600, 3600]],
      [{ default_lease_ttl: 'system', max_lease_ttl: 'system' }, '204', [system, system]],
    ] as const) {
      expect(outcome(await post('sys/mounts/a/tune', body))).toBe(expected);
      const shown = data(await get('sys/mounts/a/tune'));
      expect([shown?.default_lease_ttl, shown?.max_lease_ttl]).toEqual(ttls);
    }
    expect(data(await get('sys/mounts/sys/tune'))).toMatchObject({ default_lease_ttl: 2_764_800 });
  });
});

describe('a mount type', () => {
  test.each([
    ['kv-v1', undefined, 'kv', { version: '1' }],
    ['kv-v2', undefined, 'kv', { version: '2' }],
    ['kv-v2', { version: '1' }, 'kv', { version: '2' }],
    ['generic', undefined, 'generic', {}],
  ] as const)('%s with options %j is the engine %s', async (type, options, shownType, shownOptions) => {
    const { post, get } = await secrets({ engines });
    const body = { type, ...(options && { options }) };
    expect((await post('sys/mounts/a', body)).status).toBe(204);
    expect(data(await get('sys/mounts/a'))).toMatchObject({ type: shownType, options: shownOptions });
    const path = 'version' in shownOptions && shownOptions.version === '2' ? 'a/data/x' : 'a/x';
    expect((await post(path, { data: { b: 'c' } })).status).toBeLessThan(300);
    expect((await get(path)).status).toBe(200);
  });

  test('generic has no version', async () => {
    const { post } = await secrets({ engines });
    const body = { type: 'generic', options: { version: '1' } };
    expect(outcome(await post('sys/mounts/a', body))).toBe(
      '400 secrets engine "generic" does not allow setting a version',
    );
  });
});
