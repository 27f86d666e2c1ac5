import { describe, expect, test } from 'vitest';
import { kvEngine } from '../../../../../src/services/secrets/engines.ts';
import type { EngineTable } from '../../../../../src/services/secrets/model/mounts.ts';
import { secrets } from '../support.ts';
import { awkwardNames } from './harness.ts';

/** The service with version 1 at `one/` and version 2 at `two/`. */
const engines: EngineTable = {
  one: (parts) => kvEngine({ ...parts, options: { version: '1' } }),
  two: (parts) => kvEngine({ ...parts, options: { version: '2' } }),
};

const merge = { 'content-type': 'application/merge-patch+json' };

describe('the key-value engine on HTTP', () => {
  test.each(awkwardNames)('finds the key %s by its encoded path', async (name) => {
    const { put, get, list } = await secrets({ engines });
    const path = encodeURIComponent(name);
    for (const [data, metadata, body] of [
      ['one', 'one', { name }],
      ['two/data', 'two/metadata', { data: { name } }],
    ] as const) {
      expect((await get(`${data}/${path}`)).status).toBe(404);
      await put(`${data}/${path}/${path}`, body);
      expect((await get(`${data}/${path}/${path}`)).json?.data).toMatchObject(body);
      expect((await list(metadata)).json?.data).toEqual({ keys: [`${name}/`] });
      expect((await list(`${metadata}/${path}`)).json?.data).toEqual({ keys: [name] });
    }
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
    const { tokenWith, put } = await secrets({ engines });
    const token = await tokenWith('path "*" { capabilities = ["create"] }');
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
