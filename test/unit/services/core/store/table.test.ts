import { describe, expect, test } from 'vitest';
import { EmbeddedError } from '../../../../../src/services/core/errors.ts';
import { checkOf } from '../../../../../src/services/core/schema/matches.ts';
import * as s from '../../../../../src/services/core/schema/types.ts';
import { stateTable } from '../../../../../src/services/core/state/state-table.ts';
import { Transaction } from '../../../../../src/services/core/state/transaction.ts';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';
import { checkTables, table, tableOf } from '../../../../../src/services/core/store/table.ts';
import type { Json } from '../../../../../src/wire/json.ts';

const row = s.object({
  name: s.string(),
  size: s.int64(),
  kind: s.oneOf(['file', 'folder']),
  tags: s.list(s.string()),
  labels: s.nullable(s.map(s.string())),
  hidden: s.optional(s.boolean()),
  owner: s.either(s.object({ user: s.string() }), s.object({ group: s.number() })),
});
const valid = {
  name: 'a',
  size: 2n ** 60n,
  kind: 'file',
  tags: ['x'],
  labels: null,
  owner: { user: 'u' },
} as const;
const files = tableOf('rows/', row);

describe('a schema', () => {
  test.each<[string, object]>([
    ['all required fields', valid],
    ['an optional field', { ...valid, hidden: true }],
    ['a field of a later release', { ...valid, color: 'red' }],
    ['the other alternatives', { ...valid, labels: { a: 'b' }, owner: { group: 1 }, size: 1 }],
  ])('accepts %s', (_, value) => {
    expect(checkOf(row)(value)).toBe(true);
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
    expect(checkOf(row)(value)).toBe(false);
  });
});

describe('a table', () => {
  test('reads and lists its own rows only, ordered by key', async () => {
    const storage = memoryStore();
    const other = { key: 'rowsets/a', value: 1 };
    await storage.write([files.put('b', { ...valid, name: 'b' }), files.put('a', valid), other]);
    expect([files.get(storage, 'a'), files.get(storage, 'c')]).toEqual([valid, undefined]);
    expect([files.keys(storage), files.keys(storage, 'b')]).toEqual([['a', 'b'], ['b']]);
    expect(files.values(storage).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(files.entries(storage)).toEqual([
      ['a', valid],
      ['b', { ...valid, name: 'b' }],
    ]);
    await storage.write([files.remove('a')]);
    expect(files.keys(storage)).toEqual(['b']);
  });

  test('reads the rows of a transaction', async () => {
    const storage = memoryStore();
    await storage.write([files.put('a', valid), files.put('b', valid)]);
    const transaction = new Transaction(storage, {
      index: 1,
      now: 0,
      random: (length) => new Uint8Array(length),
    });
    transaction.write(files.remove('a'));
    transaction.write(files.put('c', valid));
    expect([files.keys(transaction), files.keys(storage)]).toEqual([
      ['b', 'c'],
      ['a', 'b'],
    ]);
    expect([files.get(transaction, 'a'), files.get(transaction, 'c')]).toEqual([undefined, valid]);
  });

  test.each<[string, Json]>([
    ['a row with a field of another type', { ...valid, tags: 'x' }],
    ['a value that is no row', 'x'],
  ])('rejects %s when its rows are checked, and names the key', async (_, value) => {
    const storage = memoryStore();
    await storage.write([files.put('a', valid)]);
    expect(() => checkTables(storage, [files])).not.toThrow();
    await storage.write([{ key: 'rows/b', value }]);
    const damaged = new EmbeddedError('data', 'the stored value rows/b is damaged; restore it from a backup');
    expect(() => checkTables(storage, [files])).toThrow(damaged);
  });
});

describe('a table with lookup rows', () => {
  const users = table('users/', { name: s.string(), mail: s.nullable(s.string()) }).with({
    lookups: ({ mail }, id) => (mail === null ? [] : [{ key: `mails/${mail}`, value: id }]),
  });

  test('writes, moves and removes them with the row, and leaves unchanged ones', async () => {
    const storage = memoryStore();
    const [before, after] = [
      { name: 'a', mail: 'a@x' },
      { name: 'b', mail: 'b@x' },
    ];
    await storage.write(users.replace('1', undefined, before));
    expect([storage.get('mails/a@x'), users.get(storage, '1')]).toEqual(['1', before]);
    expect(users.replace('1', before, { ...before, name: 'c' }).map(({ key }) => key)).toEqual(['users/1']);
    await storage.write(users.replace('1', before, after));
    expect([storage.keys('mails/'), storage.get('mails/b@x')]).toEqual([['mails/b@x'], '1']);
    await storage.write(users.replace('1', after, { ...after, mail: null }));
    expect(storage.keys('mails/')).toEqual([]);
    await storage.write(users.replace('1', undefined, after));
    await storage.write(users.replace('1', after, undefined));
    expect(storage.keys('')).toEqual([]);
  });
});

describe('a state table', () => {
  const rows = stateTable('rows/', { name: s.string() });
  const at = (storage: Storage, index: number) =>
    new Transaction(storage, { index, now: 0, random: (length) => new Uint8Array(length) });

  test('keeps the create index of a row, and both indexes of an unchanged one', () => {
    const storage = memoryStore();
    const first = at(storage, 5);
    expect(rows.write(first, 'a', { name: 'x' })).toEqual({ name: 'x', CreateIndex: 5, ModifyIndex: 5 });
    const second = new Transaction(first, { index: 7, now: 0, random: first.random });
    expect(rows.write(second, 'a', { name: 'x' })).toEqual({ name: 'x', CreateIndex: 5, ModifyIndex: 5 });
    expect(second.changed.size).toBe(0);
    expect(rows.write(second, 'a', { name: 'y' })).toEqual({ name: 'y', CreateIndex: 5, ModifyIndex: 7 });
    rows.delete(second, 'a');
    expect([rows.get(second, 'a'), rows.get(first, 'a')?.name]).toEqual([undefined, 'x']);
  });

  test('rejects a stored row without indexes', async () => {
    const storage = memoryStore();
    await storage.write([{ key: 'rows/a', value: { name: 'x', CreateIndex: 1 } }]);
    expect(() => checkTables(storage, [rows])).toThrow('the stored value rows/a is damaged');
  });
});
