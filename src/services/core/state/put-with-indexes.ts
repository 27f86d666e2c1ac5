import { isDeepStrictEqual } from 'node:util';
import type { Row, Transaction } from './transaction.ts';

/** The indexes of a row: at its creation and at its last change. */
export interface Indexes {
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

/**
 * Writes a row with its indexes: its create index is kept, and writing identical content changes nothing
 * (docs/protocol/transactions.md#results).
 * @returns the stored row
 */
export function putWithIndexes<Table extends string, Content extends object>(
  transaction: Transaction<Table>,
  table: Table,
  key: string,
  content: Content,
): Content & Indexes {
  const existing = transaction.get(table, key) as (Row & Indexes) | undefined;
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
  transaction.put(table, key, row as unknown as Row);
  return row;
}

/** Reports whether a check-and-set may proceed. Index 0: only if the row does not exist. */
export function matchesIndex(row: Indexes | undefined, index: number): boolean {
  return (row?.ModifyIndex ?? 0) === index;
}
