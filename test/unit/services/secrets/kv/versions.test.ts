import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../../src/wire/json.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { type Data, errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

// Any sequence of writes, deletions and settings is compared with a model in oracle.property.test.ts.

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

  test.each<[string, Json, number[]]>([
    ['an array of text', ['1', ' 2 '], [404, 404, 200]],
    ['text with commas', '1,2', [404, 404, 200]],
    ['large and unknown numbers among known ones', [1, 2, 99, 2n ** 70n], [404, 404, 200]],
    ['a single number', 2, [200, 404, 200]],
  ])('accepts numbers as %s', async (_form, versions, statuses) => {
    const kv = await withVersions(3);
    await kv.write('delete/a', { versions });
    expect([await statusOf(kv, 1), await statusOf(kv, 2), await statusOf(kv, 3)]).toEqual(statuses);
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
