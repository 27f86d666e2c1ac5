import { array, assert, asyncProperty, boolean, constantFrom, nat, option, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as s from '../../../../../src/services/core/schema/types.ts';
import { IndexedTable } from '../../../../../src/services/core/store/indexed-table.ts';
import { type RowOf, table } from '../../../../../src/services/core/store/table.ts';
import { countingStorage } from './counting-storage.ts';

const rows = table('row/', { key: s.string(), color: s.string(), ends: s.nullable(s.number()) }).with({
  lookups: ({ key, color }) => [{ key: `color/${color}/${key}`, value: true }],
  index: ({ color }) => [color],
  expires: ({ ends }) => ends,
});
type Row = RowOf<typeof rows>;
const colors = ['red', 'redder', 'blue'];

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
        const { storage, state } = countingStorage();
        const indexed = new IndexedTable(storage, rows);
        for (const { key, row, full } of changes) {
          state.full = full;
          await indexed.write([[key, row && { ...row, key }]]).catch(() => {});
        }
        for (const each of [indexed, new IndexedTable(storage, rows)]) {
          const all = each.values();
          for (const color of colors)
            expect(each.withEntry(color)).toEqual(all.filter((row) => row.color === color));
          expect(each.nextExpiry).toBe(Math.min(...all.map(({ ends }) => ends ?? Number.POSITIVE_INFINITY)));
          const expired: string[] = [];
          await each.forEachExpired(now, async (due) => void expired.push(...keysOf(due)));
          const due = all
            .flatMap(({ key, ends }) => (ends !== null && ends <= now ? [{ key, ends }] : []))
            .toSorted((a, b) => a.ends - b.ends);
          expect(expired).toEqual(due.map(({ key }) => key));
        }
      }),
    ));

  test('passes on all of very many expired rows, though some fail', async () => {
    const indexed = new IndexedTable(countingStorage().storage, rows);
    const keys = Array.from({ length: 1_000 }, (_, at) => `${at}`);
    await indexed.write(keys.map((key) => [key, { key, color: 'red', ends: Number(key) % 7 }]));
    const seen = new Set<string>();
    const passed = indexed.forEachExpired(5, async (due) => {
      for (const key of keysOf(due)) seen.add(key);
      throw new Error(`${due.length}`);
    });
    await expect(passed).rejects.toThrow('200');
    expect(seen.size).toBe(1_000 - Math.floor(1_000 / 7));
  });

  test('keeps the old rows and index entries after a failed write, with their lookup rows', async () => {
    const { storage, state } = countingStorage();
    const indexed = new IndexedTable(storage, rows);
    const before = { key: 'a', color: 'red', ends: 5 };
    await indexed.write([['a', before]]);
    state.full = true;
    const changes = [
      ['a', undefined],
      ['b', { ...before, key: 'b', color: 'blue', ends: 1 }],
    ] as const;
    await expect(indexed.write(changes)).rejects.toThrow('the disk is full');
    expect([indexed.values(), indexed.withEntry('red'), indexed.withEntry('blue')]).toEqual([
      [before],
      [before],
      [],
    ]);
    expect([indexed.nextExpiry, indexed.get('b'), storage.keys('color/')]).toEqual([
      5,
      undefined,
      ['color/red/a'],
    ]);
  });

  test('rejects a stored row of another type when it is opened', async () => {
    const { storage } = countingStorage();
    await storage.write([{ key: 'row/a', value: { key: 'a', color: 'red', ends: 'soon' } }]);
    expect(() => new IndexedTable(storage, rows)).toThrow(
      'the stored value row/a is damaged; restore it from a backup',
    );
  });
});
