import { describe, expect, test } from 'vitest';
import { type Json, parseJson } from '../../../../../src/wire/json.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { type Data, errorOf } from '../engine-calls.ts';
import { mount, noonText } from './harness.ts';

const wrong = (name: string) =>
  expect.stringContaining(`400 Field validation failed: error converting input for field "${name}": `);

describe('the configuration of a mount', () => {
  test('is initially not set', async () => {
    expect(await mount(2).read('config')).toEqual({
      max_versions: 0,
      cas_required: false,
      delete_version_after: '0s',
    });
  });

  test('changes only the given settings', async () => {
    const kv = mount(2);
    expect(await kv.write('config', { max_versions: 5, delete_version_after: '3h' })).toBeUndefined();
    expect(await kv.write('config', { cas_required: 'true' })).toBeUndefined();
    expect(await kv.read('config')).toEqual({
      max_versions: 5,
      cas_required: true,
      delete_version_after: '3h0m0s',
    });
    await kv.write('config', { max_versions: '0', cas_required: false, delete_version_after: 0 });
    expect(await kv.read('config')).toEqual({
      max_versions: 0,
      cas_required: false,
      delete_version_after: '0s',
    });
  });

  test('shows a disabled delete_version_after as -1s', async () => {
    const kv = mount(2);
    await kv.write('config', { delete_version_after: '-5m' });
    expect((await kv.read('config')).delete_version_after).toBe('-1s');
  });

  test.each<[string, Json]>([
    ['max_versions', 'many'],
    ['max_versions', -1],
    ['max_versions', 2 ** 32],
    ['cas_required', 'perhaps'],
    ['delete_version_after', 'soon'],
    ['delete_version_after', 1e12],
    ['delete_version_after', ['1s']],
  ])('rejects for %s: %j', async (name, value) => {
    const kv = mount(2);
    expect(await errorOf(kv.write('config', { [name]: value }))).toEqual(wrong(name));
  });
});

describe('the metadata of a key', () => {
  test('contains everything stored about it', async () => {
    const kv = mount(2);
    await kv.write('data/a', { data: { x: 1 } });
    kv.pass(1);
    await kv.write('data/a', { data: { x: 2 } });
    kv.pass(1);
    await kv.call('delete', 'data/a');
    await kv.write('destroy/a', { versions: [1] });
    await kv.write('metadata/a', { custom_metadata: { owner: 'ops' }, delete_version_after: '90m' });
    expect(await kv.read('metadata/a')).toEqual({
      versions: {
        1: { created_time: noonText, deletion_time: '', destroyed: true },
        2: {
          created_time: '2026-03-04T12:00:01.000000000Z',
          deletion_time: '2026-03-04T12:00:02.000000000Z',
          destroyed: false,
        },
      },
      current_version: 2,
      oldest_version: 0,
      created_time: noonText,
      updated_time: '2026-03-04T12:00:01.000000000Z',
      max_versions: 0,
      cas_required: false,
      delete_version_after: '1h30m0s',
      custom_metadata: { owner: 'ops' },
    });
    expect(await kv.call('read', 'data/a')).toMatchObject({
      data: { metadata: { custom_metadata: { owner: 'ops' } } },
    });
  });

  test('can be written before the first version', async () => {
    const kv = mount(2);
    expect(await kv.write('metadata/a', { max_versions: 2 })).toBeUndefined();
    expect(await kv.read('metadata/a')).toMatchObject({ versions: {}, current_version: 0, max_versions: 2 });
    kv.pass(1);
    await kv.write('data/a', { data: {} });
    expect(await kv.read('metadata/a')).toMatchObject({ created_time: noonText, current_version: 1 });
  });

  test('without settings does not create a key', async () => {
    const kv = mount(2);
    expect(await kv.write('metadata/a', { unknown: 1 })).toBeUndefined();
    expect(await errorOf(kv.call('read', 'metadata/a'))).toBe('404');
  });

  test('is deleted with all versions and their data', async () => {
    const storage = memoryStorage();
    const kv = mount(2, storage);
    for (let n = 1; n <= 12; n++) await kv.write('data/a', { data: { n } });
    await kv.write('data/a/b', { data: { other: true } });
    expect(await kv.call('delete', 'metadata/a')).toBeUndefined();
    expect(await errorOf(kv.call('read', 'metadata/a'))).toBe('404');
    expect(await errorOf(kv.call('read', 'data/a'))).toBe('404');
    expect(storage.keys('')).toHaveLength(2);
    expect((await kv.read('data/a/b')).data).toEqual({ other: true });
    expect(await kv.call('delete', 'metadata/a')).toBeUndefined();
    expect((await kv.write('data/a', { data: {}, options: { cas: 0 } }))?.data?.version).toBe(1);
  });

  test('rejects a negative delete_version_after', async () => {
    expect(await errorOf(mount(2).write('metadata/a', { delete_version_after: -1 }))).toEqual(
      wrong('delete_version_after'),
    );
  });

  test('warns that cas_required cannot be disabled for a key if the mount requires it', async () => {
    const kv = mount(2);
    await kv.write('config', { cas_required: true });
    const warned = { warnings: [expect.stringContaining('"cas_required"')] };
    expect(await kv.write('metadata/a', { cas_required: false })).toEqual(warned);
    expect(await kv.call('patch', 'metadata/a', { cas_required: false })).toEqual(warned);
    expect(await kv.write('metadata/a', { cas_required: true })).toBeUndefined();
  });

  test('determines, like the data, whether a write creates or updates', async () => {
    const kv = mount(2);
    expect(kv.engine.exists('data/a')).toBe(false);
    expect(kv.engine.exists('metadata/a')).toBe(false);
    await kv.write('data/a', { data: {} });
    await kv.call('delete', 'data/a');
    expect(kv.engine.exists('data/a')).toBe(true);
    expect(kv.engine.exists('metadata/a')).toBe(true);
    await kv.call('delete', 'metadata/a');
    expect(kv.engine.exists('data/a')).toBe(false);
    for (const path of ['config', 'destroy/a', 'a', '', 'metadata']) {
      expect(kv.engine.exists(path)).toBeUndefined();
    }
  });
});

describe('a patch of the metadata', () => {
  test('changes the given fields, and resets those that are null', async () => {
    const kv = mount(2);
    await kv.write('metadata/a', {
      max_versions: 3,
      cas_required: true,
      delete_version_after: '1h',
      custom_metadata: { keep: '1', drop: '2', change: '3' },
    });
    expect(
      await kv.call('patch', 'metadata/a', {
        max_versions: null,
        cas_required: null,
        custom_metadata: { drop: null, change: 'x', add: 4 },
      }),
    ).toBeUndefined();
    expect(await kv.read('metadata/a')).toMatchObject({
      max_versions: 0,
      cas_required: false,
      delete_version_after: '1h0m0s',
      custom_metadata: { keep: '1', change: 'x', add: '4' },
    });
    await kv.call('patch', 'metadata/a', { delete_version_after: null, custom_metadata: null });
    expect(await kv.read('metadata/a')).toMatchObject({ delete_version_after: '0s', custom_metadata: null });
  });

  test('of a missing key is 404', async () => {
    expect(await errorOf(mount(2).call('patch', 'metadata/a', { max_versions: 1 }))).toBe('404');
  });
});

describe('custom metadata', () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
  const failure = (text: string) => `400 custom_metadata validation failed: ${text}`;

  test('is replaced entirely by a write, and removed by an empty one', async () => {
    const kv = mount(2);
    await kv.write('metadata/a', { custom_metadata: { one: '1', count: 2, on: true } });
    expect((await kv.read('metadata/a')).custom_metadata).toEqual({ one: '1', count: '2', on: '1' });
    await kv.write('metadata/a', { custom_metadata: parseJson('{"__proto__":"x"}') });
    await kv.call('patch', 'metadata/a', { custom_metadata: parseJson('{"constructor":"y"}') });
    const { custom_metadata: read } = await kv.read('metadata/a');
    expect(Object.entries(read as Data)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    await kv.write('metadata/a', { custom_metadata: {} });
    expect((await kv.read('metadata/a')).custom_metadata).toBeNull();
  });

  test('may reach the limits of number and length, counted in bytes', async () => {
    const kv = mount(2);
    expect(await kv.write('metadata/a', { custom_metadata: names(64) })).toBeUndefined();
    expect(
      await kv.write('metadata/a', { custom_metadata: { ['é'.repeat(64)]: 'é'.repeat(256) } }),
    ).toBeUndefined();
  });

  test.each<[Data, string]>([
    [names(65), '65 keys given, at most 64 are allowed'],
    [{ ['k'.repeat(129)]: 'v' }, `key "${'k'.repeat(129)}" is 129 bytes long, expected 1 to 128`],
    [{ k: 'é'.repeat(257) }, 'the value of key "k" is 514 bytes long, expected 1 to 512'],
    [{ '': 'v' }, 'key "" is 0 bytes long, expected 1 to 128'],
    [{ k: '' }, 'the value of key "k" is 0 bytes long, expected 1 to 512'],
    [{ k: null }, 'the value of key "k" is 0 bytes long, expected 1 to 512'],
    [{ k: {} }, 'the value of key "k" is not a string'],
    [{ 'a\nb': 'v' }, 'key "a\\nb" contains unprintable characters'],
    [
      { a: 'x\u0000', b: [] },
      'the value of key "a" contains unprintable characters; the value of key "b" is not a string',
    ],
  ])('over a limit is rejected: %#', async (custom, text) => {
    const kv = mount(2);
    expect(await errorOf(kv.write('metadata/a', { custom_metadata: custom }))).toBe(failure(text));
  });

  test('cannot exceed the limit by patches', async () => {
    const kv = mount(2);
    await kv.write('metadata/a', { custom_metadata: names(64) });
    expect(await errorOf(kv.call('patch', 'metadata/a', { custom_metadata: { more: 'v' } }))).toBe(
      failure('65 keys given, at most 64 are allowed'),
    );
  });

  test('that is not an object is rejected', async () => {
    expect(await errorOf(mount(2).write('metadata/a', { custom_metadata: 'x' }))).toEqual(
      wrong('custom_metadata'),
    );
  });
});

describe('a list of keys', () => {
  test('has names and directories, including deleted ones', async () => {
    const kv = mount(2);
    for (const path of ['b', 'a', 'a/one', 'a/deep/er']) await kv.write(`data/${path}`, { data: {} });
    await kv.call('delete', 'data/b');
    expect(await kv.keys('metadata')).toEqual(['a', 'a/', 'b']);
    expect(await kv.keys('metadata/a')).toEqual(['deep/', 'one']);
    await kv.call('delete', 'metadata/a');
    expect(await kv.keys('metadata')).toEqual(['a/', 'b']);
  });

  test('of an empty directory is 404', async () => {
    const kv = mount(2);
    expect(await errorOf(kv.call('list', 'metadata'))).toBe('404');
    await kv.write('data/a', { data: {} });
    expect(await errorOf(kv.call('list', 'metadata/a'))).toBe('404');
  });
});
