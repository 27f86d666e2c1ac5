import { isDeepStrictEqual } from 'node:util';
import type { Draft, Row } from './draft.ts';

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

/** Reports whether a check-and-set may proceed. Index 0: only if the row does not exist. */
export function matchesIndex(row: Indexes | undefined, index: number): boolean {
  return (row?.ModifyIndex ?? 0) === index;
}
