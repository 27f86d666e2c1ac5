import { isDeepStrictEqual } from 'node:util';
import { s, type Table } from '../store/table.ts';
import type { Transaction } from './transaction.ts';

/** The indexes of a row: at its creation and at its last change. */
export const indexFields = { CreateIndex: s.number, ModifyIndex: s.number };

export interface Indexes {
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

/**
 * Writes a row with its indexes: its create index is kept, and writing identical content changes nothing
 * (docs/protocol/transactions.md#results).
 * @returns the stored row
 */
export function putWithIndexes<Content extends object>(
  transaction: Transaction,
  table: Table<Content & Indexes>,
  key: string,
  content: Content,
): Content & Indexes {
  const existing = table.get(transaction, key);
  if (existing) {
    const { CreateIndex, ModifyIndex } = existing;
    const unchanged = { ...content, CreateIndex, ModifyIndex };
    if (isDeepStrictEqual(existing, unchanged)) return unchanged;
  }
  const row = {
    ...content,
    CreateIndex: existing?.CreateIndex ?? transaction.index,
    ModifyIndex: transaction.index,
  };
  transaction.write(table.put(key, row));
  return row;
}

/** Reports whether a check-and-set may proceed. Index 0: only if the row does not exist. */
export function matchesIndex(row: Indexes | undefined, index: number): boolean {
  return (row?.ModifyIndex ?? 0) === index;
}
