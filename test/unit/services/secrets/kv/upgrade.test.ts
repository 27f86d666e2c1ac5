import { describe, expect, test } from 'vitest';
import { engines } from '../../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { folder } from '../../support.ts';
import { data, outcome, secrets } from '../support.ts';

const created = '2026-03-01T00:00:00.000000000Z';

/** The service with version 1 at `kv1/`, and a request for another version of it. */
async function older(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets({ engines, clock: () => new Date('2026-03-01T00:00:00Z'), ...options });
  const { post } = service;
  const setVersion = (version: Json, path = 'kv1') =>
    post(`sys/mounts/${path}/tune`, { options: { version } });
  const type = 'kv';
  expect((await post('sys/mounts/kv1', { type })).status).toBe(204);
  expect((await post('kv1/a/b', { x: 1, ttl: '10m' })).status).toBe(204);
  expect((await post('kv1/config', { max_versions: 2 })).status).toBe(204);
  return { ...service, setVersion };
}

describe('the upgrade of a key-value mount', () => {
  test('makes each secret the first version of its key', async () => {
    const { setVersion, post, get, list } = await older();
    expect(await setVersion('2')).toMatchObject({
      status: 200,
      json: { data: null, warnings: ['Upgraded mount from version 1 to version 2.'] },
    });
    expect(data(await get('sys/mounts/kv1'))).toMatchObject({ options: { version: '2' } });
    expect(data(await get('sys/internal/ui/mounts/kv1'))).toMatchObject({ options: { version: '2' } });
    expect(data(await list('kv1/metadata'))).toEqual({ keys: ['a/', 'config'] });
    expect(data(await get('kv1/data/a/b'))).toMatchObject({
      data: { x: 1, ttl: '10m' },
      metadata: { version: 1, created_time: created, deletion_time: '', destroyed: false },
    });
    expect(data(await get('kv1/metadata/a/b'))).toMatchObject({
      current_version: 1,
      oldest_version: 1,
      created_time: created,
      updated_time: created,
      max_versions: 0,
    });
    expect(data(await get('kv1/data/config'))?.data).toEqual({ max_versions: 2 });
    expect(data(await get('kv1/config'))).toMatchObject({ max_versions: 0 });
    expect((await get('kv1/a/b')).status).toBe(404);
    const second = await post('kv1/data/a/b', { data: { x: 2 }, options: { cas: 1 } });
    expect(data(second)).toMatchObject({ version: 2 });
  });

  test('applies to requests sent at the same time, in one version or the other', async () => {
    const { setVersion, post, list } = await older();
    const writes = Array.from({ length: 20 }, (_, index) => post(`kv1/at-once/${index}`, { x: index }));
    const [upgraded, ...written] = await Promise.all([setVersion('2'), ...writes]);
    expect(upgraded?.status).toBe(200);
    const kept = (data(await list('kv1/metadata/at-once'))?.keys ?? []) as string[];
    const expected = written.flatMap(({ status }, index) => (status === 204 ? [String(index)] : []));
    expect(kept).toEqual(expected.sort());
  });

  test('survives a restart', async () => {
    const dataDirectory = await folder();
    const first = await older({ dataDirectory });
    expect((await first.setVersion('2')).status).toBe(200);
    await first.close();
    const { get } = await secrets({ engines, dataDirectory });
    expect(data(await get('kv1/data/a/b'))?.data).toEqual({ x: 1, ttl: '10m' });
    expect(data(await get('sys/mounts/kv1/tune'))?.options).toEqual({ version: '2' });
  });

  test('is the only change of a version', async () => {
    const { setVersion, post, get } = await older();
    expect((await setVersion('1')).status).toBe(204);
    for (const version of ['3', '0', '', 'x'])
      expect(outcome(await setVersion(version))).toBe(`400 invalid version provided: ${version}`);
    expect((await setVersion('2')).status).toBe(200);
    expect((await setVersion('2')).status).toBe(204);
    expect(outcome(await setVersion('1'))).toBe('400 cannot downgrade mount from version 2');
    await post('sys/mounts/other', { type: 'generic' });
    const fixed = 'the version of a mount cannot be changed; mount the other version at another path';
    expect(outcome(await setVersion('2', 'other'))).toBe(`400 ${fixed}`);
    expect(data(await get('kv1/data/a/b'))?.data).toEqual({ x: 1, ttl: '10m' });
  });
});
