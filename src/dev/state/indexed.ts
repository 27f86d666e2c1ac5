import { isDeepStrictEqual } from 'node:util';
import type { Draft, Row } from './draft.ts';

/** The indexes of a row: when it was made, and when it was last changed. */
export interface Indexes {
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

/**
 * Puts a row, with its indexes: the one that it was made at stays, and writing what is there already changes
 * nothing (docs/protocol/transactions.md#results).
 *
 * @returns the row as it is kept
 */
export function putIndexed<Table extends string, Content extends object>(
  draft: Draft<Table>,
  table: Table,
  key: string,
  content: Content,
): Content & Indexes {
  const before = draft.get(table, key) as (Row & Indexes) | undefined;
  if (before) {
    const { CreateIndex, ModifyIndex } = before;
    const same = { ...content, CreateIndex, ModifyIndex };
    if (isDeepStrictEqual(before, same)) return same;
  }
  const row = { ...content, CreateIndex: before?.CreateIndex ?? draft.index, ModifyIndex: draft.index };
  draft.put(table, key, row as unknown as Row);
  return row;
}

/** May a check-and-set go on? Index 0: only where there is nothing yet. */
export function matchesIndex(row: Indexes | undefined, index: number): boolean {
  return (row?.ModifyIndex ?? 0) === index;
}
