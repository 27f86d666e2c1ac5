import type { Json } from '../../../wire/json.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import { endSessionsOf } from './sessions.ts';
import type { Table, Transaction, View } from './tables.ts';

/** Metadata of a client. */
export type Meta = { readonly [name: string]: string };

/** The status of a check. */
export const statuses = ['passing', 'warning', 'critical'] as const;
export type Status = (typeof statuses)[number];

export interface Node extends Indexes {
  readonly ID: string;
  readonly Node: string;
  readonly Address: string;
  readonly Datacenter: string;
  readonly TaggedAddresses: Meta | null;
  readonly Meta: Meta | null;
}

/** An instance of a service, without its node. */
export interface Service extends Indexes {
  readonly Kind?: string;
  readonly ID: string;
  readonly Service: string;
  readonly Tags: readonly string[];
  readonly Address: string;
  readonly TaggedAddresses?: { readonly [name: string]: Json };
  readonly Meta: Meta | null;
  readonly Port: number;
  readonly Weights: { readonly Passing: number; readonly Warning: number };
  readonly EnableTagOverride: boolean;
  readonly Proxy: { readonly [name: string]: Json };
  readonly Connect: { readonly [name: string]: Json };
}

export interface Check extends Indexes {
  readonly Node: string;
  readonly CheckID: string;
  readonly Name: string;
  readonly Status: Status;
  readonly Notes: string;
  readonly Output: string;
  /** Empty: a check of the node. */
  readonly ServiceID: string;
  readonly ServiceName: string;
  readonly ServiceTags: readonly string[];
  readonly Type: string;
  readonly Interval: string;
  readonly Timeout: string;
  readonly ExposedPort: number;
  readonly Definition: { readonly [name: string]: Json };
}

/** A write that the catalog rejects; the message is the product's. */
class CatalogError extends HttpError {
  constructor(message: string) {
    super(500, message);
  }
}

// The length of the name comes first, so that no key is a prefix of another: names may have any characters.
const childKey = (name: string, id: string) => `${name.length}:${name}/${id}`;

const instanceKey = (service: string, node: string, id: string) => childKey(service, childKey(node, id));

export function nodeOf(view: View, name: string): Node | undefined {
  return view.get('nodes', name) as (Row & Node) | undefined;
}

/** A node by its ID, which takes precedence, or by its name. */
export function findNode(view: View, { ID, Node }: Pick<Node, 'ID' | 'Node'>): Node | undefined {
  if (ID === '') return nodeOf(view, Node);
  const entry = view.get('node-ids', ID.toLowerCase()) as { readonly node: string } | undefined;
  return entry && nodeOf(view, entry.node);
}

export function nodesOf(view: View): Node[] {
  return view.keys('nodes', '').flatMap((name) => nodeOf(view, name) ?? []);
}

export function serviceOf(view: View, node: string, id: string): Service | undefined {
  return view.get('services', childKey(node, id)) as (Row & Service) | undefined;
}

export function servicesOf(view: View, node: string): Service[] {
  return rowsOfNode<Service>(view, 'services', node);
}

export function checkOf(view: View, node: string, id: string): Check | undefined {
  return view.get('checks', childKey(node, id)) as (Row & Check) | undefined;
}

/** The name of the service of a check; undefined: it is a check of the node, whatever its name. */
export function ownerOf(
  view: View,
  { Node, ServiceID, ServiceName }: Pick<Check, 'Node' | 'ServiceID' | 'ServiceName'>,
): string | undefined {
  return ServiceID === '' ? undefined : (serviceOf(view, Node, ServiceID)?.Service ?? ServiceName);
}

export function checksOf(view: View, node: string): Check[] {
  return rowsOfNode<Check>(view, 'checks', node);
}

function rowsOfNode<Kind>(view: View, table: Table, node: string): Kind[] {
  return view.keys(table, childKey(node, '')).map((key) => view.get(table, key) as Row & Kind);
}

/** An instance of a service, with its node. */
export interface Instance {
  readonly node: Node;
  readonly service: Service;
}

/** The instances of a service, or of all. */
export function instancesOf(view: View, name?: string): Instance[] {
  return [...eachInstance(view, name)];
}

/** The same, as an iterator. */
export function eachInstance(view: View, name?: string): Generator<Instance> {
  return indexedInstances(view, 'instances', name === undefined ? '' : childKey(name, ''));
}

/** The mesh-capable instances of a service: native ones, and proxies for it. */
export function* eachMeshInstance(view: View, name: string): Generator<Instance> {
  for (const instance of eachInstance(view, name)) {
    if (instance.service.Connect.Native === true) yield instance;
  }
  yield* indexedInstances(view, 'proxies', childKey(name, ''));
}

function* indexedInstances(view: View, table: 'instances' | 'proxies', prefix: string): Generator<Instance> {
  for (const key of view.keys(table, prefix)) {
    const entry = view.get(table, key) as { readonly node: string; readonly id: string } | undefined;
    const node = entry && nodeOf(view, entry.node);
    const service = entry && serviceOf(view, entry.node, entry.id);
    if (node && service) yield { node, service };
  }
}

/** @throws CatalogError another node has that ID */
export function putNode(transaction: Transaction, node: Omit<Node, keyof Indexes>): Node {
  const other = node.ID === '' ? undefined : findNode(transaction, { ID: node.ID, Node: '' });
  if (other && other.Node !== node.Node) {
    throw new CatalogError(`node ID "${node.ID}" is already used by node "${other.Node}"`);
  }
  const previous = nodeOf(transaction, node.Node);
  if (previous && previous.ID !== node.ID) transaction.put('node-ids', previous.ID.toLowerCase(), undefined);
  if (node.ID !== '' && previous?.ID !== node.ID) {
    transaction.put('node-ids', node.ID.toLowerCase(), { node: node.Node });
  }
  return putWithIndexes(transaction, 'nodes', node.Node, node);
}

/** @throws CatalogError the node does not exist */
export function putService(
  transaction: Transaction,
  node: string,
  service: Omit<Service, keyof Indexes>,
): Service {
  if (!nodeOf(transaction, node)) throw new CatalogError('Missing node registration');
  const previous = serviceOf(transaction, node, service.ID);
  if (previous && previous.Service !== service.Service) {
    transaction.put('instances', instanceKey(previous.Service, node, service.ID), undefined);
  }
  if (previous?.Service !== service.Service) {
    transaction.put('instances', instanceKey(service.Service, node, service.ID), { node, id: service.ID });
  }
  const previousDestination = previous && proxyDestination(previous);
  const destinationName = proxyDestination(service);
  if (previousDestination !== undefined && previousDestination !== destinationName) {
    transaction.put('proxies', instanceKey(previousDestination, node, service.ID), undefined);
  }
  if (destinationName !== undefined && destinationName !== previousDestination) {
    transaction.put('proxies', instanceKey(destinationName, node, service.ID), { node, id: service.ID });
  }
  return putWithIndexes(transaction, 'services', childKey(node, service.ID), service);
}

/** The destination of a sidecar proxy; undefined: not a proxy. */
export function proxyDestination(service: Pick<Service, 'Kind' | 'Proxy'>): string | undefined {
  const destination = service.Kind === 'connect-proxy' ? service.Proxy.DestinationServiceName : undefined;
  return typeof destination === 'string' ? destination : undefined;
}

/**
 * Stores a check; one of a service gets its name and tags. A critical check ends the sessions that depend on it.
 *
 * @throws CatalogError the node or the service does not exist
 */
export function putCheck(transaction: Transaction, check: Omit<Check, keyof Indexes>): Check {
  if (!nodeOf(transaction, check.Node)) throw new CatalogError('Missing node registration');
  const service = check.ServiceID === '' ? undefined : serviceOf(transaction, check.Node, check.ServiceID);
  if (check.ServiceID !== '' && !service) throw new CatalogError('Missing service registration');
  if (check.Status === 'critical') endSessionsOf(transaction, check.Node, check.CheckID);
  return putWithIndexes(transaction, 'checks', childKey(check.Node, check.CheckID), {
    ...check,
    ...(service && { ServiceName: service.Service, ServiceTags: service.Tags }),
  });
}

/** Removes a node, with its services, checks and sessions. */
export function deleteNode(transaction: Transaction, node: string): void {
  const existing = nodeOf(transaction, node);
  if (!existing) return;
  for (const { ID } of servicesOf(transaction, node)) deleteService(transaction, node, ID);
  for (const { CheckID } of checksOf(transaction, node)) deleteCheck(transaction, node, CheckID);
  endSessionsOf(transaction, node);
  if (existing.ID !== '') transaction.put('node-ids', existing.ID.toLowerCase(), undefined);
  transaction.put('nodes', node, undefined);
}

/** Removes a service, with its checks. */
export function deleteService(transaction: Transaction, node: string, id: string): void {
  const existing = serviceOf(transaction, node, id);
  if (!existing) return;
  for (const { CheckID, ServiceID } of checksOf(transaction, node)) {
    if (ServiceID === id) deleteCheck(transaction, node, CheckID);
  }
  transaction.put('instances', instanceKey(existing.Service, node, id), undefined);
  const destinationName = proxyDestination(existing);
  if (destinationName !== undefined)
    transaction.put('proxies', instanceKey(destinationName, node, id), undefined);
  transaction.put('services', childKey(node, id), undefined);
}

export function deleteCheck(transaction: Transaction, node: string, id: string): void {
  if (!checkOf(transaction, node, id)) return;
  endSessionsOf(transaction, node, id);
  transaction.put('checks', childKey(node, id), undefined);
}
