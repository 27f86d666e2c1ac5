import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { type Data, errorOf } from '../engine-calls.ts';
import { type Mount, mount, noonText } from './harness.ts';

/** A mount with `count` versions of the key `a`; version n is `{ n }`. */
async function withVersions(count: number, storage = memoryStorage()): Promise<Mount> {
  const kv = mount(2, storage);
  for (let n = 1; n <= count; n++) await kv.write('data/a', { data: { n } });
  return kv;
}

const versionsOf = async (kv: Mount) => (await kv.read('metadata/a')).versions as Record<string, Data>;
const statusOf = async (kv: Mount, version: number) =>
  (await kv.call('read', 'data/a', { version }))?.status ?? 200;

describe('deleting, undeleting and destroying versions', () => {
  test('by number changes only those versions', async () => {
    const kv = await withVersions(3);
    expect(await kv.write('delete/a', { versions: [1, 2] })).toBeUndefined();
    expect([await statusOf(kv, 1), await statusOf(kv, 2), await statusOf(kv, 3)]).toEqual([404, 404, 200]);
    expect(await kv.write('undelete/a', { versions: [2] })).toBeUndefined();
    expect([await statusOf(kv, 1), await statusOf(kv, 2), await statusOf(kv, 3)]).toEqual([404, 200, 200]);
    expect((await kv.read('data/a', { version: 2 })).data).toEqual({ n: 2 });
  });

  test('of the latest version equals DELETE of the data', async () => {
    const kv = await withVersions(2);
    expect(await kv.call('delete', 'data/a')).toBeUndefined();
    expect([await statusOf(kv, 1), await statusOf(kv, 2)]).toEqual([200, 404]);
    await kv.write('undelete/a', { versions: [2] });
    expect(await kv.read('data/a')).toMatchObject({ data: { n: 2 }, metadata: { deletion_time: '' } });
  });

  test('a destroyed version cannot be undeleted, and its data is deleted from the storage', async () => {
    const storage = memoryStorage();
    const kv = await withVersions(2, storage);
    expect(await kv.write('destroy/a', { versions: [1] })).toBeUndefined();
    await kv.write('undelete/a', { versions: [1] });
    await kv.write('delete/a', { versions: [1] });
    expect(await kv.call('read', 'data/a', { version: 1 })).toMatchObject({
      status: 404,
      data: { data: null, metadata: { destroyed: true, deletion_time: '' } },
    });
    const kept = storage.keys('').map((key) => storage.get(key));
    expect(kept).not.toContainEqual({ n: 1 });
    expect(kept).toContainEqual({ n: 2 });
  });

  test('a version keeps the time of its first deletion', async () => {
    const kv = await withVersions(1);
    await kv.write('delete/a', { versions: [1] });
    kv.pass(5);
    await kv.write('delete/a', { versions: [1] });
    expect((await versionsOf(kv))['1']).toMatchObject({ deletion_time: noonText });
  });

  test.each<[string, Json]>([
    ['an array of text', ['1', ' 2 ']],
    ['text with commas', '1,2'],
    ['large and unknown numbers among known ones', [1, 2, 99, 2n ** 70n]],
  ])('accepts numbers as %s', async (_form, versions) => {
    const kv = await withVersions(3);
    await kv.write('delete/a', { versions });
    expect([await statusOf(kv, 1), await statusOf(kv, 2), await statusOf(kv, 3)]).toEqual([404, 404, 200]);
  });

  test('accepts a single number', async () => {
    const kv = await withVersions(2);
    await kv.write('delete/a', { versions: 2 });
    expect([await statusOf(kv, 1), await statusOf(kv, 2)]).toEqual([200, 404]);
  });

  test('requires numbers', async () => {
    const kv = await withVersions(1);
    for (const versions of [[], '', null]) {
      expect(await errorOf(kv.write('delete/a', { versions }))).toBe('400 No version number provided');
      expect(await errorOf(kv.write('undelete/a', { versions }))).toBe('400 No version number provided');
      expect(await errorOf(kv.write('destroy/a', { versions }))).toBe('400 no version number provided');
    }
    expect(await errorOf(kv.write('delete/none'))).toBe('400 No version number provided');
    for (const versions of [['one'], [1.5], [null], { one: 1 }]) {
      expect(await errorOf(kv.write('delete/a', { versions }))).toMatch(/^400 Field validation failed: /);
    }
  });

  test('of a missing key does nothing', async () => {
    const kv = mount(2);
    for (const verb of ['delete', 'undelete', 'destroy']) {
      expect(await kv.write(`${verb}/none`, { versions: [1] })).toBeUndefined();
    }
    expect(await kv.call('delete', 'data/none')).toBeUndefined();
    expect(await errorOf(kv.call('read', 'metadata/none'))).toBe('404');
  });
});

describe('max_versions', () => {
  const kept = async (kv: Mount) => Object.keys(await versionsOf(kv)).map(Number);

  test('is 10 by default; the oldest version is removed with its data', async () => {
    const storage = memoryStorage();
    const kv = await withVersions(10, storage);
    expect(await kept(kv)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await kv.write('data/a', { data: { n: 11 } });
    expect(await kept(kv)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await kv.read('metadata/a')).toMatchObject({ current_version: 11, oldest_version: 2 });
    expect(await errorOf(kv.call('read', 'data/a', { version: 1 }))).toBe('404');
    expect(storage.keys('').map((key) => storage.get(key))).not.toContainEqual({ n: 1 });
  });

  test.each<[number, number, number[]]>([
    [2, 0, [3, 4]],
    [0, 3, [2, 3, 4]],
    [3, 2, [2, 3, 4]],
    [2, 3, [2, 3, 4]],
    [1, 0, [4]],
  ])('of %i for the mount and %i for the key keep %j of 4', async (ofMount, ofKey, expected) => {
    const kv = mount(2);
    await kv.write('config', { max_versions: ofMount });
    await kv.write('metadata/a', { max_versions: ofKey });
    for (let n = 1; n <= 4; n++) await kv.write('data/a', { data: { n } });
    expect(await kept(kv)).toEqual(expected);
  });

  test('that is lowered removes several at the next write, and restores none when raised', async () => {
    const kv = await withVersions(6);
    await kv.write('metadata/a', { max_versions: 2 });
    expect(await kept(kv)).toHaveLength(6);
    await kv.write('data/a', { data: {} });
    expect(await kept(kv)).toEqual([6, 7]);
    await kv.write('metadata/a', { max_versions: 4 });
    await kv.write('data/a', { data: {} });
    expect(await kept(kv)).toEqual([6, 7, 8]);
    expect(await kv.read('metadata/a')).toMatchObject({ oldest_version: 6 });
  });
});

describe('delete_version_after', () => {
  test('deletes a version when its time has come', async () => {
    const kv = mount(2);
    await kv.write('config', { delete_version_after: '1m' });
    expect((await kv.write('data/a', { data: { x: 1 } }))?.data?.deletion_time).toBe(
      '2026-03-04T12:01:00.000000000Z',
    );
    kv.pass(59.999);
    expect(await statusOf(kv, 1)).toBe(200);
    kv.pass(0.001);
    expect(await statusOf(kv, 1)).toBe(404);
  });

  test('restarts when the version is undeleted', async () => {
    const kv = mount(2);
    await kv.write('config', { delete_version_after: 60 });
    await kv.write('data/a', { data: { x: 1 } });
    kv.pass(100);
    await kv.write('undelete/a', { versions: [1] });
    kv.pass(59);
    expect(await statusOf(kv, 1)).toBe(200);
    kv.pass(1);
    expect(await statusOf(kv, 1)).toBe(404);
  });

  test.each<[string, string, string]>([
    ['1m', '0s', '2026-03-04T12:01:00.000000000Z'],
    ['0s', '2m', '2026-03-04T12:02:00.000000000Z'],
    ['1m', '2m', '2026-03-04T12:01:00.000000000Z'],
    ['2m', '1m', '2026-03-04T12:01:00.000000000Z'],
    ['-1s', '1m', ''],
  ])('of %s for the mount and %s for the key', async (ofMount, ofKey, expected) => {
    const kv = mount(2);
    await kv.write('config', { delete_version_after: ofMount });
    await kv.write('metadata/a', { delete_version_after: ofKey });
    expect((await kv.write('data/a', { data: {} }))?.data?.deletion_time).toBe(expected);
  });
});
