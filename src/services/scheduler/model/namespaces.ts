import { type Indexes, indexFields, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import { type RowOf, s, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

export const namespaceTable = table('namespaces/', {
  ...indexFields,
  Name: s.string,
  Description: s.string,
  Meta: s.nullable(s.record(s.string)),
  /** Always empty: quotas are an enterprise feature. */
  Quota: s.string,
  /** Allowed and forbidden drivers and network modes of jobs. */
  Capabilities: s.nullable(s.record(s.json)),
});
export type Namespace = RowOf<typeof namespaceTable>;

export const defaultNamespace = 'default';

export function namespaceOf(view: View, name: string): Namespace | undefined {
  return namespaceTable.get(view, name);
}

/** The namespaces, ordered by name. */
export function namespacesOf(view: View, prefix = ''): Namespace[] {
  return namespaceTable.values(view, prefix);
}

export function putNamespace(transaction: Transaction, namespace: Omit<Namespace, keyof Indexes>): Namespace {
  return putWithIndexes(transaction, namespaceTable, namespace.Name, namespace);
}

export function deleteNamespace(transaction: Transaction, name: string): void {
  transaction.write(namespaceTable.remove(name));
}

/** Creates the default namespace. */
export function seedNamespaces(transaction: Transaction): void {
  if (namespaceOf(transaction, defaultNamespace)) return;
  putNamespace(transaction, {
    Name: defaultNamespace,
    Description: 'Default shared namespace',
    Meta: null,
    Quota: '',
    Capabilities: null,
  });
}
