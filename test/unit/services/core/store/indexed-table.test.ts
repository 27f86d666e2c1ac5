import { array, assert, asyncProperty, boolean, constantFrom, nat, option, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IndexedTable } from '../../../../../src/services/core/store/indexed-table.ts';
import * as s from '../../../../../src/services/core/store/schema.ts';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { Table } from '../../../../../src/services/core/store/table.ts';
import { countingStorage } from './counting-storage.ts';

const rowSchema = s.object({ key: s.string, color: s.string, ends: s.nullable(s.number) });
type Row = s.TypeOf<typeof rowSchema>;
const colors = ['red', 'redder', 'blue'];

const indexed = (storage: Storage) =>
  new IndexedTable({
    storage,
    table: new Table('row/', rowSchema),
    index: ({ color }: Row) => [color],
    expires: ({ ends }: Row) => ends,
  });

const keysOf = (rows: readonly Row[]) => rows.map(({ key }) => key);

describe('an indexed table', () => {
  const change = record({
    key: constantFrom('a', 'b', 'c', 'aa', '\u{1f600}'),
    row: option(record({ color: constantFrom(...colors), ends: option(nat(12)) }), { nil: undefined }),
    full: boolean(),
  });

  test('finds the rows that a full scan would find, also after failed writes', () =>
    assert(
      asyncProperty(array(change, { maxLength: 20 }), nat(12), async (changes, now) => {
        const { storage, told } = countingStorage();
        const table = indexed(storage);
        for (const { key, row, full } of changes) {
          told.full = full;
          await table.write([[key, row && { ...row, key }]]).catch(() => {});
        }
        for (const each of [table, indexed(storage)]) {
          const all = each.values();
          for (const color of colors)
            expect(each.withEntry(color)).toEqual(all.filter((row) => row.color === color));
          expect(each.nextExpiry).toBe(Math.min(...all.map(({ ends }) => ends ?? Number.POSITIVE_INFINITY)));
          const expired: string[] = [];
          await each.forEachExpired(now, async (rows) => void expired.push(...keysOf(rows)));
          const due = all
            .flatMap(({ key, ends }) => (ends !== null && ends <= now ? [{ key, ends }] : []))
            .toSorted((a, b) => a.ends - b.ends);
          expect(expired).toEqual(due.map(({ key }) => key));
        }
      }),
    ));

  test('passes on all of very many expired rows, though some fail', async () => {
    const table = indexed(countingStorage().storage);
    const keys = Array.from({ length: 1_000 }, (_, at) => `${at}`);
    await table.write(keys.map((key) => [key, { key, color: 'red', ends: Number(key) % 7 }]));
    const seen = new Set<string>();
    const passed = table.forEachExpired(5, async (rows) => {
      for (const key of keysOf(rows)) seen.add(key);
      throw new Error(`${rows.length}`);
    });
    await expect(passed).rejects.toThrow('200');
    expect(seen.size).toBe(1_000 - Math.floor(1_000 / 7));
  });

  test('keeps the old rows and index entries after a failed write, with the other changes', async () => {
    const { storage, told } = countingStorage();
    const table = indexed(storage);
    const before = { key: 'a', color: 'red', ends: 5 };
    await table.write([['a', before]]);
    told.full = true;
    const changes = [
      ['a', undefined],
      ['b', { ...before, key: 'b', color: 'blue', ends: 1 }],
    ] as const;
    await expect(table.write(changes, [{ key: 'other', value: 1 }])).rejects.toThrow('the disk is full');
    expect([table.values(), table.withEntry('red'), table.withEntry('blue')]).toEqual([
      [before],
      [before],
      [],
    ]);
    expect([table.nextExpiry, table.get('b'), storage.get('other')]).toEqual([5, undefined, undefined]);
  });

  test('rejects a stored row of another type when it is opened', async () => {
    const { storage } = countingStorage();
    await storage.write([{ key: 'row/a', value: { key: 'a', color: 'red', ends: 'soon' } }]);
    expect(() => indexed(storage)).toThrow('the stored value row/a is damaged; restore it from a backup');
  });
});
