import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { data, errors, secrets } from './support.ts';

const real = { engines };

/** A service with the real engines, and a function that mounts a key-value engine with a configuration. */
async function configured() {
  const service = await secrets(real);
  const mount = (path: string, config: Json, type = 'kv') =>
    service.ask('POST', `sys/mounts/${path}`, { body: { type, config } });
  const configOf = async (path: string) => data(await service.ask('GET', path))?.config;
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
    const { ask, mount } = await configured();
    expect(errors(await mount('a', config))).toEqual([400, [error]]);
    expect((await ask('GET', 'sys/mounts/a')).status).toBe(400);
  });

  test('of an auth method has a token type', async () => {
    const { ask, configOf } = await configured();
    const enable = (path: string, config: Json) =>
      ask('POST', `sys/auth/${path}`, { body: { type: 'userpass', config } });
    expect((await enable('a', { default_lease_ttl: '' })).status).toBe(204);
    expect(await configOf('sys/auth/a')).toMatchObject({ token_type: 'default-service', max_lease_ttl: 0 });
    expect((await enable('b', { token_type: 'service' })).status).toBe(204);
    expect(await configOf('sys/auth/b')).toMatchObject({ token_type: 'service' });
    expect((await enable('batch', { token_type: 'default-batch' })).status).toBe(204);
    expect(await configOf('sys/auth/batch')).toMatchObject({ token_type: 'default-batch' });
    expect(errors(await enable('c', { token_type: 'x' }))).toEqual([400, ["invalid value for 'token_type'"]]);
    expect(errors(await enable('c', { user_lockout_config: {} }))).toEqual([
      400,
      ['user_lockout_config is not supported'],
    ]);
  });

  test('is complete for every listed mount, built-in ones included', async () => {
    const { ask, mount } = await configured();
    await mount('a', { default_lease_ttl: '10m' });
    const mounts = Object.values(data(await ask('GET', 'sys/mounts')) ?? {});
    const methodsList = Object.values(data(await ask('GET', 'sys/auth')) ?? {});
    for (const each of [...mounts, ...methodsList]) {
      expect(each).toMatchObject({
        config: {
          default_lease_ttl: expect.any(Number),
          max_lease_ttl: expect.any(Number),
          force_no_cache: false,
        },
      });
    }
    expect(methodsList).toMatchObject([{ type: 'token', config: { token_type: 'default-service' } }]);
  });

  test('is changed by tune, which shows the lifetimes in force', async () => {
    const { ask, mount } = await configured();
    await mount('a', { default_lease_ttl: '10m' });
    const tune = (body: Record<string, Json>) => ask('POST', 'sys/mounts/a/tune', { body });
    const ttls = async () => {
      const shown = data(await ask('GET', 'sys/mounts/a/tune'));
      return [shown?.default_lease_ttl, shown?.max_lease_ttl];
    };
    expect(await ttls()).toEqual([600, 2_764_800]);
    expect((await tune({ default_lease_ttl: '', max_lease_ttl: '1h' })).status).toBe(204);
    expect(await ttls()).toEqual([600, 3600]);
    expect(errors(await tune({ default_lease_ttl: '2h' }))).toEqual([
      400,
      ['backend max lease TTL of 3600 would be less than backend default lease TTL of 7200'],
    ]);
    expect(errors(await tune({ default_lease_ttl: 'banana' }))).toEqual([
      400,
      ['time: invalid duration "banana"'],
    ]);
    expect(errors(await tune({ token_type: 'service' }))).toEqual([
      400,
      ["'token_type' can only be modified on auth mounts"],
    ]);
    expect(await ttls()).toEqual([600, 3600]);
    expect((await tune({ default_lease_ttl: 'system', max_lease_ttl: 'system' })).status).toBe(204);
    expect(await ttls()).toEqual([2_764_800, 2_764_800]);
    expect(data(await ask('GET', 'sys/mounts/sys/tune'))).toMatchObject({ default_lease_ttl: 2_764_800 });
  });
});

describe('a mount type', () => {
  test.each([
    ['kv-v1', undefined, 'kv', { version: '1' }],
    ['kv-v2', undefined, 'kv', { version: '2' }],
    ['kv-v2', { version: '1' }, 'kv', { version: '2' }],
    ['generic', undefined, 'generic', {}],
  ] as const)('%s with options %j is the engine %s', async (type, options, shownType, shownOptions) => {
    const { ask } = await secrets(real);
    const body = { type, ...(options && { options }) };
    expect((await ask('POST', 'sys/mounts/a', { body })).status).toBe(204);
    expect(data(await ask('GET', 'sys/mounts/a'))).toMatchObject({
      type: shownType,
      options: shownOptions,
    });
    const path = (shownOptions as { version?: string }).version === '2' ? 'a/data/x' : 'a/x';
    expect((await ask('POST', path, { body: { data: { b: 'c' } } })).status).toBeLessThan(300);
    expect((await ask('GET', path)).status).toBe(200);
  });

  test('generic has no version', async () => {
    const { ask } = await secrets(real);
    const body = { type: 'generic', options: { version: '1' } };
    expect(errors(await ask('POST', 'sys/mounts/a', { body }))).toEqual([
      400,
      ['secrets engine "generic" does not allow setting a version'],
    ]);
  });
});
