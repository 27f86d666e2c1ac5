import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../../src/wire/json.ts';
import { type Data, decorated, errorOf } from '../engine-calls.ts';
import { awkwardNames, mount } from './harness.ts';

describe('a secret of version 1', () => {
  test('is read as written, with a lease duration of 768 hours', async () => {
    const kv = mount(1);
    expect(await kv.write('app/db', { user: 'ada', nested: { list: [1, null, true] } })).toBeUndefined();
    expect(await kv.call('read', 'app/db')).toEqual({
      data: { user: 'ada', nested: { list: [1, null, true] } },
      duration: 2_764_800,
    });
  });

  test('is replaced entirely by the next write', async () => {
    const kv = mount(1);
    await kv.write('a', { one: 1, two: 2 });
    await kv.write('a', { three: 3 });
    expect(await kv.read('a')).toEqual({ three: 3 });
  });

  test.each<[Data, number]>([
    [{ ttl: '1h' }, 3600],
    [{ ttl: 90 }, 90],
    [{ ttl: '45' }, 45],
    [{ lease: '2m' }, 120],
    [{ ttl: '1m', lease: '2m' }, 60],
    [{ ttl: 'soon' }, 2_764_800],
    [{ ttl: -5 }, 2_764_800],
    [{ ttl: { hours: 1 } }, 2_764_800],
  ])('with %j has a lease duration of %i seconds', async (data, duration) => {
    const kv = mount(1);
    await kv.write('a', data);
    expect(await kv.call('read', 'a')).toEqual({ data, duration });
  });

  test('without a field is rejected', async () => {
    expect(await errorOf(mount(1).write('a', {}))).toBe('400 missing data fields');
  });

  test('cannot be the root of the mount', async () => {
    expect(await errorOf(mount(1).write('', { a: 1 }))).toBe('400 missing path');
  });

  test('does not exist after deletion, and deleting it again does nothing', async () => {
    const kv = mount(1);
    await kv.write('a', { b: 1 });
    expect(await kv.call('delete', 'a')).toBeUndefined();
    expect(await errorOf(kv.call('read', 'a'))).toBe('404');
    expect(await kv.call('delete', 'a')).toBeUndefined();
  });

  test('exists from its first write to its deletion', async () => {
    const kv = mount(1);
    expect(kv.engine.exists('a/b')).toBe(false);
    await kv.write('a/b', { c: 1 });
    expect(kv.engine.exists('a/b')).toBe(true);
    expect(kv.engine.exists('a')).toBe(false);
    await kv.call('delete', 'a/b');
    expect(kv.engine.exists('a/b')).toBe(false);
  });

  test('can be neither patched nor recovered', async () => {
    const kv = mount(1);
    await kv.write('a', { b: 1 });
    for (const operation of ['patch', 'recover'] as const) {
      expect(await errorOf(kv.call(operation, 'a', { b: 2 }))).toBe(
        `405 ${decorated('unsupported operation')}`,
      );
    }
  });

  test('preserves every name and every integer', async () => {
    const kv = mount(1);
    const data = parseJson(
      '{"__proto__":{"x":1},"constructor":9007199254740993,"":"empty","ключ":"🔑"}',
    ) as Data;
    await kv.write('a', data);
    const read = await kv.read('a');
    expect(Object.entries(read)).toEqual(Object.entries(data));
    expect(read.constructor).toBe(9007199254740993n);
  });

  test.each(awkwardNames)('can have the name %s', async (name) => {
    const kv = mount(1);
    expect(kv.engine.exists(name)).toBe(false);
    expect(await errorOf(kv.call('read', name))).toBe('404');
    await kv.write(`${name}/${name}`, { here: name });
    expect(await kv.read(`${name}/${name}`)).toEqual({ here: name });
    expect(await kv.keys('')).toEqual([`${name}/`]);
    expect(await kv.keys(name)).toEqual([name]);
  });
});

describe('a list of version 1', () => {
  test('has names and directories, each once, and nothing below them', async () => {
    const kv = mount(1);
    for (const path of ['b', 'a', 'a/one', 'a/two', 'a/deep/er/still', 'a-b']) await kv.write(path, { x: 1 });
    expect(await kv.keys('')).toEqual(['a', 'a-b', 'a/', 'b']);
    expect(await kv.keys('a')).toEqual(['deep/', 'one', 'two']);
    expect(await kv.keys('a/deep')).toEqual(['er/']);
  });

  test('of a secret, of a missing path or of an empty mount is 404', async () => {
    const kv = mount(1);
    expect(await errorOf(kv.call('list', ''))).toBe('404');
    await kv.write('a', { x: 1 });
    expect(await errorOf(kv.call('list', 'a'))).toBe('404');
    expect(await errorOf(kv.call('list', 'none'))).toBe('404');
  });
});
