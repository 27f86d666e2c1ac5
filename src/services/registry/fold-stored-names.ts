import type { Indexes, StateTable } from '../core/state/state-table.ts';
import type { Table } from '../core/store/table.ts';
import { authMethods, bindingRules } from './auth/state.ts';
import { entryTable } from './config/entries.ts';
import { foldName } from './fold-name.ts';
import { deleteToken, tokens } from './model/acl.ts';
import { checks, instances, nodes, proxies, services } from './model/catalog.ts';
import { queries, queryNames } from './model/queries.ts';
import type { Transaction, View } from './model/tables.ts';

/**
 * Folds the names in the keys of rows that an earlier version stored, which compared names with case (ADR 37). Of rows
 * whose names are now equal, the one that was written last is kept; each other one is removed and logged.
 */
export function foldStoredNames(view: View, transaction: Transaction, log: (line: string) => void): void {
  for (const index of [instances, proxies]) {
    for (const [folded, keys] of foldedKeys(view, index)) {
      const [entry] = keys.flatMap((key) => index.get(view, key) ?? []);
      for (const key of keys) transaction.write(index.remove(key));
      if (entry) transaction.write(index.put(folded, entry));
    }
  }
  const removed = (kind: string, name: string, kept: string) =>
    log(
      `registry: removed ${kind} "${name}", which an earlier version stored: "${kept}" was written later, and names are compared without case`,
    );
  /** Moves the rows of a table, and their lookups. */
  function moveRows<Row extends Indexes>(
    table: StateTable<Row>,
    kind: string,
    nameOf: (row: Row) => string,
    onRemove?: (row: Row) => void,
  ): void {
    for (const [folded, keys] of foldedKeys(view, table)) {
      const rows = keys.flatMap((key) => table.get(view, key) ?? []);
      const [newest, ...older] = rows.sort(byLastWrite);
      for (const key of keys) transaction.write(table.remove(key));
      for (const row of older) {
        transaction.write(...table.replace(folded, row, undefined));
        onRemove?.(row);
        if (newest) removed(kind, nameOf(row), nameOf(newest));
      }
      if (newest) transaction.write(...table.replace(folded, undefined, newest));
    }
  }
  moveRows(nodes, 'node', ({ Node }) => Node);
  moveRows(services, 'service', ({ ID }) => ID);
  moveRows(checks, 'check', ({ CheckID }) => CheckID);
  moveRows(entryTable, 'config entry', ({ Kind, Name }) => `${Kind}/${Name}`);
  moveRows(
    authMethods,
    'auth method',
    ({ Name }) => Name,
    ({ Name }) => {
      // They would otherwise give the logins of the other auth method more permissions.
      for (const { ID, AuthMethod } of bindingRules.values(view))
        if (AuthMethod === Name) bindingRules.delete(transaction, ID);
      for (const token of tokens.values(view)) if (token.AuthMethod === Name) deleteToken(transaction, token);
    },
  );
  // Queries are stored by ID; only the index has their names.
  for (const [, keys] of foldedKeys(view, queryNames)) {
    const named = keys.flatMap((key) => queries.get(view, queryNames.get(view, key)?.id ?? '') ?? []);
    const [newest, ...older] = named.sort(byLastWrite);
    for (const key of keys) transaction.write(queryNames.remove(key));
    for (const query of older) {
      transaction.write(...queries.replace(query.ID, query, undefined));
      if (newest) removed('prepared query', query.Name, newest.Name);
    }
    if (newest) transaction.write(...queries.replace(newest.ID, undefined, newest));
  }
}

const byLastWrite = (a: Indexes, b: Indexes): number => b.ModifyIndex - a.ModifyIndex;

/** Keys that are not folded, and an existing folded one, by the folded key. */
function foldedKeys(view: View, table: Table<object>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of table.keys(view)) {
    const folded = foldName(key);
    if (folded === key) continue;
    const group = groups.get(folded);
    if (group) group.push(key);
    else groups.set(folded, [...(table.get(view, folded) ? [folded] : []), key]);
  }
  return groups;
}
