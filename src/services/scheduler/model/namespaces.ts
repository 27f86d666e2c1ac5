import { type Content, stateTable } from '../../core/state/state-table.ts';
import * as s from '../../core/store/schema.ts';
import type { RowOf } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

export const namespaceTable = stateTable('namespaces/', {
  Name: s.string,
  Description: s.string,
  Meta: s.nullable(s.record(s.string)),
  /** Always empty: quotas are an enterprise feature. */
  Quota: s.string,
  /** Allowed and forbidden drivers and network modes of jobs. */
  Capabilities: s.nullable(s.record(s.json)),
  /** Claims of the identities of jobs. */
  RequiredExtraClaims: s.optional(s.record(s.string)),
  OptionalExtraClaims: s.optional(s.record(s.string)),
});
export type Namespace = RowOf<typeof namespaceTable>;

export const defaultNamespace = 'default';

export const namespaceOf = (view: View, name: string) => namespaceTable.get(view, name);
/** The namespaces, ordered by name. */
export const namespacesOf = (view: View, prefix = '') => namespaceTable.list(view, prefix);
export const putNamespace = (transaction: Transaction, namespace: Content<Namespace>) =>
  namespaceTable.write(transaction, namespace.Name, namespace);
export const deleteNamespace = (transaction: Transaction, name: string) =>
  namespaceTable.delete(transaction, name);

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
