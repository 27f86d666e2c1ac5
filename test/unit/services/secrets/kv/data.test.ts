import { describe, expect, test } from 'vitest';
import { type Json, parseJson } from '../../../../../src/wire/json.ts';
import { type Data, decorated, errorOf } from '../engine-calls.ts';
import { type Mount, mount, noonText } from './harness.ts';

const wrong = (name: string) =>
  expect.stringContaining(`400 Field validation failed: error converting input for field "${name}": `);

const metadataOf = (version: number, deletion_time = '') => ({
  version,
  created_time: noonText,
  deletion_time,
  destroyed: false,
  custom_metadata: null,
});

async function written(...contents: readonly Data[]): Promise<Mount> {
  const kv = mount(2);
  for (const data of contents) await kv.write('data/a', { data });
  return kv;
}

describe('a write of version 2', () => {
  test('returns the version that it created', async () => {
    const kv = mount(2);
    expect(await kv.write('data/a', { data: { x: 1 } })).toEqual({ data: metadataOf(1), warnings: [] });
    kv.pass(1.5);
    expect((await kv.call('create', 'data/a', { data: {} }))?.data).toMatchObject({
      version: 2,
      created_time: '2026-03-04T12:00:01.500000000Z',
    });
  });

  test('without data is rejected', async () => {
    const kv = mount(2);
    for (const body of [{}, { x: 1 }, { data: null }])
      expect(await errorOf(kv.write('data/a', body))).toBe('400 no data provided');
    expect(await errorOf(kv.call('read', 'metadata/a'))).toBe('404');
  });

  test.each<[string, Data]>([
    ['data', { data: 'text' }],
    ['data', { data: [1] }],
    ['options', { data: {}, options: 3 }],
  ])('with %s of another type is rejected', async (name, body) => {
    expect(await errorOf(mount(2).write('data/a', body))).toEqual(wrong(name));
  });

  test('warns about unknown fields', async () => {
    expect((await mount(2).write('data/a', { data: {}, ttl: 1, extra: 2 }))?.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [extra ttl]',
    ]);
  });
});

describe('check-and-set', () => {
  const mismatch = '400 check-and-set parameter did not match the current version';
  const put = (kv: Mount, cas: Json) => kv.write('data/a', { data: {}, options: { cas } });

  test('of 0 only permits writing a key without versions', async () => {
    const kv = mount(2);
    await kv.write('metadata/a', { max_versions: 3 });
    expect((await put(kv, 0))?.data?.version).toBe(1);
    expect(await errorOf(put(kv, 0))).toBe(mismatch);
  });

  test('of the current version permits the write, any other does not', async () => {
    const kv = await written({}, {});
    for (const cas of [1, 3, -1, 2n ** 64n, '1']) expect(await errorOf(put(kv, cas))).toBe(mismatch);
    expect((await put(kv, 2))?.data?.version).toBe(3);
    expect((await put(kv, '3'))?.data?.version).toBe(4);
    expect((await put(kv, 4n))?.data?.version).toBe(5);
  });

  test.each<Json>(['one', '', 1.5, null, true, [], {}])('of %j is rejected', async (cas) => {
    expect(await errorOf(put(await written({}), cas))).toBe('400 error parsing check-and-set parameter');
  });

  test('counts a deleted version', async () => {
    const kv = await written({});
    await kv.call('delete', 'data/a');
    expect(await errorOf(put(kv, 0))).toBe(mismatch);
    expect((await put(kv, 1))?.data?.version).toBe(2);
  });

  test.each(['config', 'metadata/a'])('can be required at %s', async (path) => {
    const kv = mount(2);
    await kv.write(path, { cas_required: true });
    const required = '400 check-and-set parameter required for this call';
    expect(await errorOf(kv.write('data/a', { data: {} }))).toBe(required);
    expect(await errorOf(kv.write('data/a', { data: {}, options: {} }))).toBe(required);
    expect((await put(kv, 0))?.data?.version).toBe(1);
    expect(await errorOf(kv.call('patch', 'data/a', { data: {} }))).toBe(required);
    expect((await kv.call('patch', 'data/a', { data: {}, options: { cas: 1 } }))?.data?.version).toBe(2);
  });
});

describe('a read of version 2', () => {
  test('returns the latest version, or the requested one', async () => {
    const kv = await written({ x: 1 }, { x: 2 });
    for (const [query, version] of [
      [{}, 2],
      [{ version: '0' }, 2],
      [{ version: '1' }, 1],
    ] as const)
      expect(await kv.read('data/a', query)).toEqual({ data: { x: version }, metadata: metadataOf(version) });
  });

  test('of a missing key is 404 without a text', async () => {
    const kv = await written({});
    await kv.write('metadata/unwritten', { cas_required: false });
    expect(await errorOf(kv.call('read', 'data/none'))).toBe('404');
    expect(await errorOf(kv.call('read', 'data/a', { version: '2' }))).toBe('404');
    expect(await errorOf(kv.call('read', 'data/unwritten'))).toBe('404');
    expect(await errorOf(kv.call('read', 'data/a', { version: 'two' }))).toEqual(wrong('version'));
  });

  test('of a deleted version is 404 with its metadata', async () => {
    const kv = await written({ x: 1 });
    kv.pass(60);
    expect(await kv.call('delete', 'data/a')).toBeUndefined();
    const gone = {
      status: 404,
      data: { data: null, metadata: metadataOf(1, '2026-03-04T12:01:00.000000000Z') },
    };
    expect(await kv.call('read', 'data/a')).toEqual(gone);
    kv.pass(60);
    await kv.call('delete', 'data/a');
    expect(await kv.call('read', 'data/a')).toEqual(gone);
  });

  test('preserves every name and every integer, also after a patch', async () => {
    const kv = mount(2);
    const data = parseJson('{"__proto__":{"x":1},"constructor":9007199254740993,"":[18446744073709551615]}');
    await kv.write('data/a', { data });
    const { data: read } = await kv.read('data/a');
    expect(Object.entries(read as Data)).toEqual(Object.entries(data as Data));
    await kv.call('patch', 'data/a', { data: parseJson('{"__proto__":{"y":-9007199254740995}}') });
    const { data: patched } = await kv.read('data/a');
    expect(Object.entries(patched as Data)).toEqual([
      ['__proto__', { x: 1, y: -9007199254740995n }],
      ['constructor', 9007199254740993n],
      ['', [18446744073709551615n]],
    ]);
  });

  test('returns a megabyte', async () => {
    const text = 'sécret '.repeat(150_000);
    const kv = await written({ text });
    expect((await kv.read('data/a')).data).toEqual({ text });
  });
});

describe('a patch', () => {
  test('is merged into the latest version and creates a new one', async () => {
    const kv = await written({ keep: 1, drop: 2, change: 3, deep: { keep: 4, drop: 5 }, list: [1, 2] });
    const change = { now: 'an object' };
    const data = { drop: null, change, deep: { drop: null, add: 6 }, list: [3], none: null };
    expect(await kv.call('patch', 'data/a', { data })).toMatchObject({ data: { version: 2 } });
    const merged = { keep: 1, change, deep: { keep: 4, add: 6 }, list: [3] };
    expect((await kv.read('data/a')).data).toEqual(merged);
    expect((await kv.read('data/a', { version: 1 })).data).toMatchObject({ drop: 2, deep: { drop: 5 } });
  });

  test('requires data and an existing version', async () => {
    const kv = await written({});
    await kv.write('metadata/unwritten', { cas_required: false });
    expect(await errorOf(kv.call('patch', 'data/a'))).toBe('400 no data provided');
    expect(await errorOf(kv.call('patch', 'data/none', { data: {} }))).toBe('404');
    expect(await errorOf(kv.call('patch', 'data/unwritten', { data: {} }))).toBe('404');
  });

  test('of a deleted or destroyed version is 404 with its metadata', async () => {
    const kv = await written({ x: 1 });
    await kv.call('delete', 'data/a');
    expect(await kv.call('patch', 'data/a', { data: {} })).toEqual({
      status: 404,
      data: metadataOf(1, noonText),
    });
    await kv.write('destroy/a', { versions: [1] });
    expect(await kv.call('patch', 'data/a', { data: {} })).toMatchObject({
      status: 404,
      data: { destroyed: true },
    });
  });
});

describe('subkeys', () => {
  const data = { a: 1, b: { c: { d: 'x' }, e: [{ f: 1 }], g: {} }, h: null };

  test('are the names without the values', async () => {
    const kv = await written(data);
    expect(await kv.read('subkeys/a')).toEqual({
      subkeys: { a: null, b: { c: { d: null }, e: null, g: null }, h: null },
      metadata: (await kv.read('data/a')).metadata,
    });
  });

  test.each<[string, Json]>([
    ['0', { a: null, b: { c: { d: null }, e: null, g: null }, h: null }],
    ['1', { a: null, b: null, h: null }],
    ['2', { a: null, b: { c: null, e: null, g: null }, h: null }],
    ['3', { a: null, b: { c: { d: null }, e: null, g: null }, h: null }],
  ])('are limited to a depth of %s', async (depth, subkeys) => {
    const kv = await written(data);
    expect(await kv.read('subkeys/a', { depth })).toMatchObject({ subkeys });
  });

  test('can be of another version, and are 404 like a read', async () => {
    const kv = await written({ old: 1 }, { new: 1 });
    expect(await kv.read('subkeys/a', { version: '1' })).toMatchObject({ subkeys: { old: null } });
    await kv.call('delete', 'data/a');
    expect(await kv.call('read', 'subkeys/a')).toMatchObject({
      status: 404,
      data: { subkeys: null, metadata: { version: 2 } },
    });
    expect(await errorOf(kv.call('read', 'subkeys/none'))).toBe('404');
    expect(await errorOf(kv.call('read', 'subkeys/a', { depth: '-1' }))).toEqual(wrong('depth'));
  });
});

describe('a path unknown to version 2', () => {
  test('is 404 with a warning that lists the valid ones', async () => {
    const kv = await written({});
    const ways = [
      ['read', 'a'],
      ['update', 'a'],
      ['delete', 'some/key'],
      ['patch', 'a'],
      ['list', ''],
      ['list', 'a'],
      ['list', 'data/a'],
    ] as const;
    for (const [operation, path] of ways) {
      expect(await kv.call(operation, path, { x: 1 }), path).toEqual({
        status: 404,
        warnings: [expect.stringContaining('Invalid path for a versioned K/V secrets engine')],
      });
    }
  });

  test.each(['data', 'metadata', 'delete', 'undelete', 'destroy', 'subkeys'])(
    'includes the root of %s',
    async (path) => {
      const kv = mount(2);
      for (const operation of ['read', 'update', 'delete', 'patch'] as const) {
        expect(await kv.call(operation, path)).toEqual({
          status: 404,
          warnings: [`"${path}" is the root of a versioned K/V secrets engine: specify a key below it`],
        });
      }
    },
  );

  test('differs from an unsupported operation, which is 405', async () => {
    const kv = await written({});
    const ways = [
      ['delete', 'config'],
      ['patch', 'config'],
      ['read', 'destroy/a'],
      ['delete', 'undelete/a'],
      ['update', 'subkeys/a'],
      ['recover', 'data/a'],
    ] as const;
    for (const [operation, path] of ways) {
      expect(await errorOf(kv.call(operation, path)), path).toBe(`405 ${decorated('unsupported operation')}`);
    }
  });
});
