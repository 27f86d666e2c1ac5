import { describe, expect, test } from 'vitest';
import { kvEngine } from '../../../../../src/services/secrets/engines.ts';
import type { EngineTable } from '../../../../../src/services/secrets/model/mounts.ts';
import { outcome, secrets } from '../support.ts';
import { awkwardNames } from './harness.ts';

/** The service with version 1 at `one/` and version 2 at `two/`. */
const engines: EngineTable = {
  one: (parts) => kvEngine({ ...parts, options: { version: '1' } }),
  two: (parts) => kvEngine({ ...parts, options: { version: '2' } }),
};

const merge = { 'content-type': 'application/merge-patch+json' };

describe('the key-value engine on HTTP', () => {
  test('returns 404 with data and every field for a deleted version', async () => {
    const { post, get, remove } = await secrets({ engines });
    expect((await post('two/data/a', { data: { x: 1 } })).status).toBe(200);
    expect((await remove('two/data/a')).status).toBe(204);
    const reply = await get('two/data/a');
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({
      request_id: expect.any(String),
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: {
        data: null,
        metadata: {
          version: 1,
          created_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
          deletion_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
          destroyed: false,
          custom_metadata: null,
        },
      },
      wrap_info: null,
      warnings: null,
      auth: null,
      mount_type: 'two',
    });
  });

  test('returns 404 and a warning for a path of version 1 on a mount of version 2', async () => {
    const { ask } = await secrets({ engines });
    for (const [method, path] of [
      ['GET', 'two/a'],
      ['PUT', 'two/a'],
      ['LIST', 'two'],
    ] as const) {
      const reply = await ask(method, path, method === 'PUT' ? { body: { x: 1 } } : {});
      expect(reply).toMatchObject({
        status: 404,
        json: { data: null, warnings: [expect.stringContaining('Invalid path for a versioned')] },
      });
    }
  });

  test('returns 404 without a text for a missing key', async () => {
    const { ask, get, list } = await secrets({ engines });
    for (const path of ['one/a', 'two/data/a', 'two/metadata/a', 'two/subkeys/a']) {
      expect(outcome(await get(path)), path).toBe('404');
    }
    expect(outcome(await list('one'))).toBe('404');
    expect(outcome(await list('two/metadata'))).toBe('404');
    expect(outcome(await ask('PATCH', 'two/data/a', { body: { data: {} }, headers: merge }))).toBe('404');
  });

  test('returns the lease duration of a secret of version 1', async () => {
    const { put, get } = await secrets({ engines });
    expect((await put('one/a', { ttl: '5m' })).status).toBe(204);
    expect((await get('one/a')).json).toMatchObject({ data: { ttl: '5m' }, lease_duration: 300 });
    expect(outcome(await put('one/a'))).toBe('400 missing data fields');
  });

  test('lists both with LIST and with ?list=true', async () => {
    const { put, get, list } = await secrets({ engines });
    await put('one/a/b', { x: 1 });
    await put('two/data/a/b', { data: {} });
    for (const path of ['one', 'two/metadata']) {
      expect((await list(path)).json?.data).toEqual({ keys: ['a/'] });
      expect((await get(`${path}/a/?list=true`)).json?.data).toEqual({ keys: ['b'] });
    }
  });

  test.each(awkwardNames)('finds the key %s by its encoded path', async (name) => {
    const { put, get, list } = await secrets({ engines });
    const path = encodeURIComponent(name);
    await put(`one/${path}`, { name });
    await put(`two/data/${path}`, { data: { name } });
    expect((await get(`one/${path}`)).json?.data).toEqual({ name });
    expect((await get(`two/data/${path}`)).json?.data).toMatchObject({ data: { name } });
    expect((await list('one')).json?.data).toEqual({ keys: [name] });
    expect((await list('two/metadata')).json?.data).toEqual({ keys: [name] });
  });

  test('preserves integers beyond 2^53', async () => {
    const { ask, put, get } = await secrets({ engines });
    await put('two/data/a', { data: { n: 18446744073709551615n } });
    await ask('PATCH', 'two/data/a', { body: { data: { m: -9007199254740993n } }, headers: merge });
    expect((await get('two/data/a')).text).toContain(
      '"data":{"n":18446744073709551615,"m":-9007199254740993}',
    );
  });

  test('distinguishes create from update, for data and for metadata', async () => {
    const { createToken, policy, put } = await secrets({ engines });
    await policy(
      'creator',
      'path "two/*" { capabilities = ["create"] }\npath "one/*" { capabilities = ["create"] }',
    );
    const { client_token: token } = await createToken({ policies: ['creator'] });
    for (const [path, body] of [
      ['one/a', { x: 1 }],
      ['two/data/a', { data: {} }],
      ['two/metadata/b', { max_versions: 1 }],
    ] as const) {
      expect((await put(path, body, token)).status, path).toBeLessThan(300);
      expect((await put(path, body, token)).status, path).toBe(403);
    }
  });
});
