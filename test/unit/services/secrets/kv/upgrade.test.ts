import { describe, expect, test } from 'vitest';
import { engines } from '../../../../../src/services/secrets/engines.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { folder } from '../../support.ts';
import { data, errors, secrets } from '../support.ts';

const created = '2026-03-01T00:00:00.000000000Z';

/** The service with version 1 at `kv1/`, and a request for another version of it. */
async function older(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets({ engines, clock: () => new Date('2026-03-01T00:00:00Z'), ...options });
  const { ask } = service;
  const setVersion = (version: Json, path = 'kv1') =>
    ask('POST', `sys/mounts/${path}/tune`, { body: { options: { version } } });
  const type = 'kv';
  expect((await ask('POST', 'sys/mounts/kv1', { body: { type } })).status).toBe(204);
  expect((await ask('POST', 'kv1/a/b', { body: { x: 1, ttl: '10m' } })).status).toBe(204);
  expect((await ask('POST', 'kv1/config', { body: { max_versions: 2 } })).status).toBe(204);
  return { ...service, setVersion };
}

describe('the upgrade of a key-value mount', () => {
  test('makes each secret the first version of its key', async () => {
    const { ask, setVersion } = await older();
    expect(await setVersion('2')).toMatchObject({
      status: 200,
      json: { data: null, warnings: ['Upgraded mount from version 1 to version 2.'] },
    });
    expect(data(await ask('GET', 'sys/mounts/kv1'))).toMatchObject({ options: { version: '2' } });
    expect(data(await ask('GET', 'sys/internal/ui/mounts/kv1'))).toMatchObject({ options: { version: '2' } });
    expect(data(await ask('LIST', 'kv1/metadata'))).toEqual({ keys: ['a/', 'config'] });
    expect(data(await ask('GET', 'kv1/data/a/b'))).toMatchObject({
      data: { x: 1, ttl: '10m' },
      metadata: { version: 1, created_time: created, deletion_time: '', destroyed: false },
    });
    expect(data(await ask('GET', 'kv1/metadata/a/b'))).toMatchObject({
      current_version: 1,
      oldest_version: 1,
      created_time: created,
      updated_time: created,
      max_versions: 0,
    });
    expect(data(await ask('GET', 'kv1/data/config'))?.data).toEqual({ max_versions: 2 });
    expect(data(await ask('GET', 'kv1/config'))).toMatchObject({ max_versions: 0 });
    expect((await ask('GET', 'kv1/a/b')).status).toBe(404);
    const second = await ask('POST', 'kv1/data/a/b', { body: { data: { x: 2 }, options: { cas: 1 } } });
    expect(data(second)).toMatchObject({ version: 2 });
  });

  test('applies to requests sent at the same time, in one version or the other', async () => {
    const { ask, setVersion } = await older();
    const writes = Array.from({ length: 20 }, (_, index) =>
      ask('POST', `kv1/at-once/${index}`, { body: { x: index } }),
    );
    const [upgraded, ...written] = await Promise.all([setVersion('2'), ...writes]);
    expect(upgraded?.status).toBe(200);
    const kept = (data(await ask('LIST', 'kv1/metadata/at-once'))?.keys ?? []) as string[];
    const expected = written.flatMap(({ status }, index) => (status === 204 ? [String(index)] : []));
    expect(kept).toEqual(expected.sort());
  });

  test('survives a restart', async () => {
    const dataDirectory = await folder();
    const first = await older({ dataDirectory });
    expect((await first.setVersion('2')).status).toBe(200);
    await first.close();
    const { ask } = await secrets({ engines, dataDirectory });
    expect(data(await ask('GET', 'kv1/data/a/b'))?.data).toEqual({ x: 1, ttl: '10m' });
    expect(data(await ask('GET', 'sys/mounts/kv1/tune'))?.options).toEqual({ version: '2' });
  });

  test('is the only change of a version', async () => {
    const { ask, setVersion } = await older();
    expect((await setVersion('1')).status).toBe(204);
    for (const version of ['3', '0', '', 'x'])
      expect(errors(await setVersion(version))).toEqual([400, [`invalid version provided: ${version}`]]);
    expect((await setVersion('2')).status).toBe(200);
    expect((await setVersion('2')).status).toBe(204);
    expect(errors(await setVersion('1'))).toEqual([400, ['cannot downgrade mount from version 2']]);
    await ask('POST', 'sys/mounts/other', { body: { type: 'generic' } });
    const fixed = 'the version of a mount cannot be changed; mount the other version at another path';
    expect(errors(await setVersion('2', 'other'))).toEqual([400, [fixed]]);
    expect(data(await ask('GET', 'kv1/data/a/b'))?.data).toEqual({ x: 1, ttl: '10m' });
  });
});
