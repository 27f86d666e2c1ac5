import type { Json } from '../../../wire/json.ts';
import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { Transaction, View } from './tables.ts';

export interface Namespace extends Indexes {
  readonly Name: string;
  readonly Description: string;
  readonly Meta: { readonly [name: string]: string } | null;
  /** Always empty: quotas are an enterprise feature. */
  readonly Quota: string;
  /** Lists of drivers and network modes that jobs may use or not. */
  readonly Capabilities: { readonly [name: string]: Json } | null;
}

export const defaultNamespace = 'default';

export function namespaceOf(view: View, name: string): Namespace | undefined {
  return view.get('namespaces', name) as (Row & Namespace) | undefined;
}

/** Sorted by name. */
export function namespacesOf(view: View, prefix = ''): Namespace[] {
  return view.keys('namespaces', prefix).flatMap((name) => namespaceOf(view, name) ?? []);
}

export function putNamespace(transaction: Transaction, namespace: Omit<Namespace, keyof Indexes>): Namespace {
  return putWithIndexes(transaction, 'namespaces', namespace.Name, namespace);
}

export function deleteNamespace(transaction: Transaction, name: string): void {
  transaction.put('namespaces', name, undefined);
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
