import { describe, expect, test } from 'vitest';
import { field } from '../../../src/objects/schema.ts';
import {
  type CompareOptions,
  compare,
  fieldName,
  holdsSecret,
  merge,
  pointerOf,
  pointerSteps,
  statedPointers,
  without,
  withoutWriteOnly,
} from '../../../src/state/compare.ts';
import type { JsonObject } from '../../../src/state/kind.ts';

const schema = field.object(
  {
    Name: field.string(),
    Note: field.string({ isImmutable: true }),
    TTL: field.duration('text'),
    Tags: field.set(),
    Key: field.string({ isAssigned: true }),
    Enabled: field.boolean({ isAssigned: true, default: true }),
    Password: field.secret({ isWriteOnly: true }),
    File: field.string({ isLocal: true }),
    Items: field.map(field.secret()),
    Meta: field.map(),
    Inner: field.object({ Depth: field.integer(), Pin: field.secret({ isWriteOnly: true }) }),
  },
  { foldsNames: true },
);

const none: CompareOptions = {
  isExact: false,
  stated: new Set(),
  ignored: new Set(),
  showsSecrets: false,
};
const changes = (desired: JsonObject, live: JsonObject | undefined, options: Partial<CompareOptions> = {}) =>
  compare(schema, desired, live, { ...none, ...options });
const paths = (...given: Parameters<typeof changes>): string[] =>
  changes(...given).map(({ action, path }) => `${action} ${path}`);

describe('compared fields', () => {
  test('only the stated ones, with their values in normal form', () => {
    expect(changes({ Name: 'a', ttl: '1h' }, { Name: 'b', TTL: '30m', Meta: { a: 'b' } })).toEqual([
      { path: '/spec/Name', action: 'update', before: 'b', after: 'a', isSensitive: false },
      {
        path: '/spec/TTL',
        action: 'update',
        before: 1800,
        after: 3600,
        isSensitive: false,
        isDuration: true,
        stated: '1h',
      },
    ]);
  });

  test('a field that is added has no value before, one that is removed none after', () => {
    expect(changes({ Name: 'a', TTL: null }, { TTL: '1h' })).toEqual([
      { path: '/spec/Name', action: 'add', after: 'a', isSensitive: false },
      { path: '/spec/TTL', action: 'remove', before: 3600, isSensitive: false, isDuration: true },
    ]);
    expect(paths({ Name: 'a' }, undefined)).toEqual(['add /spec/Name']);
  });

  test('other spellings are no changes', () => {
    expect(
      paths({ name: 'a', TTL: '60m', tags: ['b', 'a'] }, { Name: 'a', TTL: '1h', Tags: ['a', 'b'] }),
    ).toEqual([]);
  });

  test('unknown fields are compared unchanged', () => {
    expect(paths({ Other: 1, constructor: 'a' }, { Other: '1' })).toEqual([
      'update /spec/Other',
      'add /spec/constructor',
    ]);
  });

  test('exact: also those that are not stated', () => {
    expect(paths({ Name: 'a' }, { Name: 'a', TTL: '1h', Note: 'x' }, { isExact: true })).toEqual([
      'remove /spec/TTL',
      'remove /spec/Note',
    ]);
  });

  test('a field that was stated is removed, with what is in it; an immutable one is not', () => {
    const live = { Name: 'a', TTL: '1h', Meta: { a: 'b' }, Note: 'x' };
    const stated = new Set(['/spec/TTL', '/spec/Meta/a', '/spec/Note']);
    expect(paths({}, live, { stated })).toEqual(['remove /spec/TTL', 'remove /spec/Meta/a']);
    expect(paths({}, live, { stated: new Set(['/spec/Met', '/spec/Metadata']) })).toEqual([]);
  });

  test('ignored, write-only and local fields are not compared', () => {
    const desired = { Name: 'a', Password: 'p', File: 'f', TTL: '1h' };
    expect(paths(desired, {}, { ignored: new Set(['/spec/Name']) })).toEqual(['add /spec/TTL']);
  });

  test('a field that the service assigns is compared only with a value', () => {
    expect(paths({ Key: '', Enabled: null }, { Key: 'k', Enabled: false })).toEqual([]);
    expect(paths({ Key: 'x', Enabled: false }, { Key: 'k', Enabled: true })).toEqual([
      'update /spec/Key',
      'add /spec/Enabled',
    ]);
  });

  test('objects by their fields, maps by their names', () => {
    expect(paths({ Inner: { Depth: 2 } }, { Inner: { Depth: 1, Other: 1 } })).toEqual([
      'update /spec/Inner/Depth',
    ]);
    expect(paths({ Inner: { Depth: 2 } }, {})).toEqual(['add /spec/Inner/Depth']);
    expect(paths({ Inner: null }, { Inner: { Depth: 1 } })).toEqual(['remove /spec/Inner']);
    expect(
      paths({ Meta: { a: '1', 'b/~': '2', same: 's' } }, { Meta: { a: '0', old: 'x', same: 's' } }),
    ).toEqual(['update /spec/Meta/a', 'remove /spec/Meta/old', 'add /spec/Meta/b~1~0']);
  });

  test('merged maps keep the names that are not stated', () => {
    expect(paths({ Meta: { a: '1' } }, { Meta: { a: '0', old: 'x' } }, { mergesKeys: true })).toEqual([
      'update /spec/Meta/a',
    ]);
  });
});

describe('secrets', () => {
  test('values are not in a change, unless they are shown', () => {
    const [desired, live] = [{ Items: { a: 'new' } }, { Items: { a: 'old' } }];
    expect(changes(desired, live)).toEqual([{ path: '/spec/Items/a', action: 'update', isSensitive: true }]);
    expect(changes(desired, live, { showsSecrets: true })).toEqual([
      { path: '/spec/Items/a', action: 'update', before: 'old', after: 'new', isSensitive: false },
    ]);
  });

  test('the value of a reference is one, whatever its field is', () => {
    const isSensitive = (pointer: string): boolean | undefined =>
      changes({ Meta: { a: 'new' } }, {}, { resolved: new Set([pointer]) })[0]?.isSensitive;
    expect(isSensitive('/spec/Meta/a')).toBe(true);
    expect(isSensitive('/spec/Meta/a/b')).toBe(true);
    expect(isSensitive('/spec/Meta/ab')).toBe(false);
    expect(isSensitive('/spec/Meta')).toBe(false);
  });

  test('a schema holds one at any depth', () => {
    const secret = field.secret();
    for (const each of [
      secret,
      field.list(secret),
      field.map(secret),
      field.object({ a: field.any(), b: secret }),
    ])
      expect(holdsSecret(each)).toBe(true);
    for (const each of [
      field.string(),
      field.list(field.any()),
      field.map(),
      field.object({ a: field.any() }),
    ])
      expect(holdsSecret(each)).toBe(false);
  });
});

describe('pointers', () => {
  test('have the names of the schema, escaped', () => {
    expect(pointerOf(schema, ['inner', 'Depth'])).toBe('/spec/Inner/Depth');
    expect(pointerOf(schema, ['Meta', 'name', 'a/b~c'])).toBe('/spec/Meta/name/a~1b~0c');
    expect(pointerOf(schema, ['other', 'name'])).toBe('/spec/other/name');
    const nested = field.object({
      List: field.list(field.object({ ServiceName: field.string() }, { foldsNames: true })),
      Map: field.map(field.object({ ServiceName: field.string() }, { foldsNames: true })),
    });
    expect(pointerOf(nested, ['List', 0, 'service_name'])).toBe('/spec/List/0/ServiceName');
    expect(pointerOf(nested, ['Map', 'a_b', 'service_name'])).toBe('/spec/Map/a_b/ServiceName');
  });

  test('have steps and a text for people', () => {
    expect(pointerSteps('/spec/Meta/a~1b~0c')).toEqual(['Meta', 'a/b~c']);
    expect(fieldName('/spec/Items/password')).toBe('Items.password');
    expect(fieldName('/metadata/rotate')).toBe('metadata.rotate');
    expect(fieldName('/spec/Meta/a.b~1c~0')).toBe('Meta["a.b/c~"]');
    expect(fieldName('/spec/a.b')).toBe('["a.b"]');
  });

  test('of the stated fields: objects by their fields', () => {
    expect(statedPointers(schema, { name: 'a', Inner: { Depth: 1 }, Meta: { a: 'b' }, 'x/y': {} })).toEqual([
      '/spec/Name',
      '/spec/Inner/Depth',
      '/spec/Meta',
      '/spec/x~1y',
    ]);
    expect(statedPointers(schema, { Inner: null })).toEqual(['/spec/Inner']);
  });
});

describe('what is stored', () => {
  const live = { Name: 'a', Inner: { Depth: 1, Other: 2 }, Meta: { a: '1' } };

  test('the stated fields over those of the service', () => {
    expect(merge(schema, live, { ttl: '1h', Inner: { Depth: 5 }, Meta: { b: 2 }, other: 1 })).toEqual({
      Name: 'a',
      TTL: '1h',
      Inner: { Depth: 5, Other: 2 },
      Meta: { b: '2' },
      other: 1,
    });
  });

  test('with maps merged by their names, at every depth', () => {
    expect(merge(schema, live, { Meta: { b: 2 } }, true)).toMatchObject({ Meta: { a: '1', b: '2' } });
    const outer = field.object({ Inner: field.object({ Meta: field.map() }) });
    expect(merge(outer, { Inner: { Meta: { a: '1' } } }, { Inner: { Meta: { b: '2' } } }, true)).toEqual({
      Inner: { Meta: { a: '1', b: '2' } },
    });
    expect(merge(schema, live, { Meta: null }, true)).toMatchObject({ Meta: null });
  });

  test('without a value for what the service assigns', () => {
    expect(merge(schema, { Key: 'k' }, { Key: '', Name: '' })).toEqual({ Key: 'k', Name: '' });
    expect(merge(schema, {}, { Inner: null, Name: 'b' })).toEqual({ Inner: null, Name: 'b' });
  });

  test('without the fields that the service never returns', () => {
    expect(
      withoutWriteOnly(schema, {
        Name: 'a',
        password: 'p',
        Inner: { Depth: 1, Pin: 'x' },
        other: { Pin: 1 },
      }),
    ).toEqual({ Name: 'a', Inner: { Depth: 1 }, other: { Pin: 1 } });
    expect(withoutWriteOnly(schema, { Inner: null })).toEqual({ Inner: null });
  });

  test('without the fields at pointers', () => {
    const spec = { Name: 'a', Inner: { Depth: 1, Other: 2 }, 'x/y': 1 };
    expect(without(spec, [])).toBe(spec);
    expect(without(spec, ['/spec/Inner/Depth', '/spec/x~1y'])).toEqual({ Name: 'a', Inner: { Other: 2 } });
    expect(without(spec, ['/spec/Depth'])).toEqual(spec);
  });
});
