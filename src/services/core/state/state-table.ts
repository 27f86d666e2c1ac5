import { isDeepStrictEqual } from 'node:util';
import { type Check, checkOf } from '../schema/matches.ts';
import * as s from '../schema/types.ts';
import { Table } from '../store/table.ts';
import type { Transaction } from './transaction.ts';

/** The indexes of a row: at its creation and at its last change. */
export const indexFields = { CreateIndex: s.integer(), ModifyIndex: s.integer() };
export type Indexes = s.StoredFields<typeof indexFields>;

/** The indexes of a row in a response. */
export const shownIndexes = {
  CreateIndex: s.responseOnly(indexFields.CreateIndex),
  ModifyIndex: s.responseOnly(indexFields.ModifyIndex),
};

export type Content<Row extends Indexes> = Omit<Row, keyof Indexes>;

export function withoutIndexes<Row extends Indexes>(row: Row): Content<Row> {
  const { CreateIndex: _create, ModifyIndex: _modify, ...content } = row;
  return content;
}

export class StateTable<Row extends Indexes> extends Table<Row> {
  /** Writes a row with its indexes; identical content changes nothing (docs/protocol/transactions.md#results). */
  write(transaction: Transaction, key: string, content: Content<Row>): Row {
    const existing = this.get(transaction, key);
    const { CreateIndex = transaction.index, ModifyIndex = transaction.index } = existing ?? {};
    const unchanged = { ...content, CreateIndex, ModifyIndex } as Row;
    if (existing && isSame(existing, unchanged)) return unchanged;
    const row = { ...unchanged, ModifyIndex: transaction.index };
    transaction.write(...this.replace(key, existing, row));
    return row;
  }

  delete(transaction: Transaction, key: string): void {
    transaction.write(...this.replace(key, this.get(transaction, key), undefined));
  }
}

export function stateTable<const F extends s.Fields>(
  prefix: string,
  fields: F,
): StateTable<s.StoredFields<F> & Indexes> {
  const isRow = checkOf(s.object({ ...fields, ...indexFields }));
  return new StateTable(prefix, isRow as Check<s.StoredFields<F> & Indexes>);
}

/** Whether two rows are equal. Nearly all that differ do so in a field that is not an object. */
function isSame<Row extends object>(a: Row, b: Row): boolean {
  for (const name in b) {
    const [left, right] = [a[name], b[name]];
    if (left !== right && (typeof left !== 'object' || typeof right !== 'object')) return false;
  }
  return isDeepStrictEqual(a, b);
}

/** Reports whether a check-and-set may proceed. Index 0: only if the row does not exist. */
export function matchesIndex(row: Indexes | undefined, index: number): boolean {
  return (row?.ModifyIndex ?? 0) === index;
}
