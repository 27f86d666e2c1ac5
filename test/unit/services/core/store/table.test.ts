import { describe, expect, test } from 'vitest';
import { EmbeddedError } from '../../../../../src/services/core/errors.ts';
import { Transaction } from '../../../../../src/services/core/state/transaction.ts';
import * as s from '../../../../../src/services/core/store/schema.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';
import { checkTables, Table } from '../../../../../src/services/core/store/table.ts';
import type { Json } from '../../../../../src/wire/json.ts';

const row = s.object({
  name: s.string,
  size: s.integer,
  kind: s.oneOf('file', 'folder'),
  tags: s.array(s.string),
  labels: s.nullable(s.record(s.string)),
  hidden: s.optional(s.boolean),
  owner: s.either(s.object({ user: s.string }), s.object({ group: s.number })),
});
const valid = {
  name: 'a',
  size: 2n ** 60n,
  kind: 'file',
  tags: ['x'],
  labels: null,
  owner: { user: 'u' },
} as const;
const table = new Table('rows/', row);

describe('a schema', () => {
  test.each<[string, object]>([
    ['all required fields', valid],
    ['an optional field', { ...valid, hidden: true }],
    ['a field of a later release', { ...valid, color: 'red' }],
    ['the other alternatives', { ...valid, labels: { a: 'b' }, owner: { group: 1 }, size: 1 }],
  ])('accepts %s', (_, value) => {
    expect(row(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['a missing field', { ...valid, name: undefined }],
    ['another type', { ...valid, size: '1' }],
    ['another type of an optional field', { ...valid, hidden: null }],
    ['an unknown text', { ...valid, kind: 'link' }],
    ['another type of an item', { ...valid, tags: [1] }],
    ['an object instead of an array', { ...valid, tags: {} }],
    ['another type of a field of a record', { ...valid, labels: { a: 1 } }],
    ['neither of two alternatives', { ...valid, owner: { group: 'g' } }],
    ['an array', [valid]],
    ['null', null],
    ['a text', 'a'],
  ])('rejects %s', (_, value) => {
    expect(row(value)).toBe(false);
  });
});

describe('a table', () => {
  test('reads and lists its own rows only, ordered by key', async () => {
    const storage = memoryStore();
    const other = { key: 'rowsets/a', value: 1 };
    await storage.write([table.put('b', { ...valid, name: 'b' }), table.put('a', valid), other]);
    expect([table.get(storage, 'a'), table.get(storage, 'c')]).toEqual([valid, undefined]);
    expect([table.keys(storage), table.keys(storage, 'b')]).toEqual([['a', 'b'], ['b']]);
    expect(table.values(storage).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(table.entries(storage)).toEqual([
      ['a', valid],
      ['b', { ...valid, name: 'b' }],
    ]);
    await storage.write([table.remove('a')]);
    expect(table.keys(storage)).toEqual(['b']);
  });

  test('reads the rows of a transaction', async () => {
    const storage = memoryStore();
    await storage.write([table.put('a', valid), table.put('b', valid)]);
    const transaction = new Transaction(storage, {
      index: 1,
      now: 0,
      random: (length) => new Uint8Array(length),
    });
    transaction.write(table.remove('a'));
    transaction.write(table.put('c', valid));
    expect([table.keys(transaction), table.keys(storage)]).toEqual([
      ['b', 'c'],
      ['a', 'b'],
    ]);
    expect([table.get(transaction, 'a'), table.get(transaction, 'c')]).toEqual([undefined, valid]);
  });

  test.each<[string, Json]>([
    ['a row with a field of another type', { ...valid, tags: 'x' }],
    ['a value that is no row', 'x'],
  ])('rejects %s when its rows are checked, and names the key', async (_, value) => {
    const storage = memoryStore();
    await storage.write([table.put('a', valid)]);
    expect(() => checkTables(storage, [table])).not.toThrow();
    await storage.write([{ key: 'rows/b', value }]);
    const damaged = new EmbeddedError('data', 'the stored value rows/b is damaged; restore it from a backup');
    expect(() => checkTables(storage, [table])).toThrow(damaged);
  });
});
