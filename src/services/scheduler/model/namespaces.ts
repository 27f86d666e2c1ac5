import { type Indexes, indexFields, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import * as s from '../../core/store/schema.ts';
import { Table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

const namespaceSchema = s.object({
  ...indexFields,
  Name: s.string,
  Description: s.string,
  Meta: s.nullable(s.record(s.string)),
  /** Always empty: quotas are an enterprise feature. */
  Quota: s.string,
  /** Allowed and forbidden drivers and network modes of jobs. */
  Capabilities: s.nullable(s.record(s.json)),
});
export type Namespace = s.TypeOf<typeof namespaceSchema>;

export const namespaceTable = new Table('namespaces/', namespaceSchema);

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
