import { isDeepStrictEqual } from 'node:util';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import {
  type Content,
  type Indexes,
  type StateTable,
  stateTable,
  withoutIndexes,
} from '../../core/state/state-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { checkFields, nodeFields, serviceFields } from '../catalog-fields.ts';
import { childKey, foldName, isSameName } from '../fold-name.ts';
import { problemOfMeta } from '../meta-rules.ts';
import { endSessionsOf } from './sessions.ts';
import type { Transaction, View } from './tables.ts';

const nodeIds = table('node-ids/', { node: s.string() });
/** Service instances by service name, and sidecar proxies by the name of the service that they are for. */
export const instances = table('instances/', { node: s.string(), id: s.string() });
export const proxies = table('proxies/', { node: s.string(), id: s.string() });

export const nodes = stateTable('nodes/', nodeFields).with({
  lookups: ({ ID, Node }) => (ID === '' ? [] : [nodeIds.put(ID.toLowerCase(), { node: Node })]),
});
export type Node = RowOf<typeof nodes>;

export const services = stateTable('services/', {
  ...serviceFields,
  /** The name of its node, in the case of the registration. */
  Node: s.optional(s.string()),
}).with({
  lookups(service, key) {
    const destination = proxyDestination(service);
    const node = key.slice(key.indexOf(':') + 1, -foldName(service.ID).length - 1);
    const instance = { node, id: service.ID };
    return [
      instances.put(childKey(service.Service, key), instance),
      ...(destination === undefined ? [] : [proxies.put(childKey(destination, key), instance)]),
    ];
  },
});
export type Service = RowOf<typeof services>;

/** Checks by the instance of a service that they belong to; node checks by an instance without an ID. */
const serviceChecks = table('service-checks/', { id: s.string() });

export const checks = stateTable('checks/', checkFields).with({
  lookups: ({ Node, ServiceID, CheckID }) => [
    serviceChecks.put(childKey(childKey(Node, ServiceID), CheckID), { id: CheckID }),
  ],
});
export type Check = RowOf<typeof checks>;

export const catalogTables = [nodes, nodeIds, services, checks, serviceChecks, instances, proxies];

export const nodeOf = (view: View, name: string) => nodes.get(view, foldName(name));

/** A node by its ID, which takes precedence, or by its name. */
export function findNode(view: View, { ID, Node }: Pick<Node, 'ID' | 'Node'>): Node | undefined {
  if (ID === '') return nodeOf(view, Node);
  const entry = nodeIds.get(view, ID.toLowerCase());
  return entry && nodeOf(view, entry.node);
}

export const nodesOf = (view: View) => nodes.list(view);
export const serviceOf = (view: View, node: string, id: string) => services.get(view, childKey(node, id));
export const servicesOf = (view: View, node: string) => services.list(view, childKey(node, ''));
export const checkOf = (view: View, node: string, id: string) => checks.get(view, childKey(node, id));

/** The name of the service that a check belongs to; undefined: a check of the node, whatever its `ServiceName`. */
export function ownerOf(
  view: View,
  { Node, ServiceID, ServiceName }: Pick<Check, 'Node' | 'ServiceID' | 'ServiceName'>,
): string | undefined {
  return ServiceID === '' ? undefined : (serviceOf(view, Node, ServiceID)?.Service ?? ServiceName);
}

export const checksOf = (view: View, node: string) => checks.list(view, childKey(node, ''));

/** The checks of all nodes, by node; nothing for a node. */
export function* eachCheck(view: View): Generator<Check | undefined> {
  for (const node of nodes.eachKey(view)) {
    yield;
    for (const key of checks.eachKey(view, childKey(node, ''))) yield checks.get(view, key);
  }
}

/** The checks of an instance of a service; of the node, if it has no ID. */
function checksOfService(view: View, node: string, id: string): Check[] {
  const entries = serviceChecks.values(view, childKey(childKey(node, id), ''));
  return entries.flatMap((entry) => checkOf(view, node, entry.id) ?? []);
}

/** The checks that decide about an instance: the node's checks, then its own. */
export function checksOfInstance(view: View, node: string, id: string): Check[] {
  return [...checksOfService(view, node, ''), ...(id === '' ? [] : checksOfService(view, node, id))];
}

export interface Instance {
  readonly node: Node;
  readonly service: Service;
}

/** The instances of all services, or of one. */
export function eachInstance(view: View, name?: string): Generator<Instance> {
  return indexedInstances(view, instances, name === undefined ? '' : childKey(name, ''));
}

/** The instances of a service in the mesh: its own with native support, and its sidecar proxies; nothing for the others. */
export function* eachMeshInstance(view: View, name: string): Generator<Instance | undefined> {
  for (const instance of eachInstance(view, name))
    yield instance.service.Connect.Native === true ? instance : undefined;
  yield* indexedInstances(view, proxies, childKey(name, ''));
}

function* indexedInstances(view: View, table: typeof instances, prefix: string): Generator<Instance> {
  for (const key of table.eachKey(view, prefix)) {
    const entry = table.get(view, key);
    const node = entry && nodeOf(view, entry.node);
    const service = entry && serviceOf(view, entry.node, entry.id);
    if (node && service) yield { node, service };
  }
}

/**
 * Puts a node. If another node has its ID, that node is renamed: its services, checks and sessions are removed.
 * @throws HttpError 500: a healthy node with another ID has the name
 */
export function putNode(transaction: Transaction, node: Content<Node>): Node {
  const renamed = node.ID === '' ? undefined : findNode(transaction, { ID: node.ID, Node: '' });
  if (node.ID !== '' && !(renamed && isSameName(renamed.Node, node.Node))) {
    rejectReservedName(transaction, node, renamed !== undefined);
    if (renamed) deleteNode(transaction, renamed.Node);
  }
  return writeSpelled(transaction, nodes, foldName(node.Node), node);
}

/** Writes a row that names its node; if only the case of that name differs, the row is unchanged. */
function writeSpelled<Row extends Indexes & { readonly Node?: string }>(
  transaction: Transaction,
  table: StateTable<Row>,
  key: string,
  content: Content<Row>,
): Row {
  const existing = table.get(transaction, key);
  const unchanged = existing && { ...content, Node: existing.Node };
  const isUnchanged = existing && isDeepStrictEqual(withoutIndexes(existing), unchanged);
  return isUnchanged ? existing : table.write(transaction, key, content);
}

/** A name is free for a node that is renamed if the node that has it is critical, or for an ID if it has none. */
function rejectReservedName(view: View, node: Content<Node>, isRename: boolean): void {
  const owner = nodeOf(view, node.Node);
  if (!owner || owner.ID === node.ID || (owner.ID === '' && !isRename)) return;
  const health = checkOf(view, owner.Node, 'serfHealth');
  if (!health || health.Status === 'critical') return;
  const address = isRename ? ` (${node.Address})` : '';
  throw new HttpError(
    500,
    `Error while renaming Node ID: "${node.ID}"${address}: Node name ${node.Node} is reserved by node ${owner.ID} with name ${owner.Node} (${owner.Address})`,
  );
}

/** @throws HttpError 500: the node does not exist, or invalid metadata */
export function putService(transaction: Transaction, node: string, service: Content<Service>): Service {
  const problem = problemOfMeta(service.Meta, { kind: service.Kind });
  if (problem !== undefined)
    throw new HttpError(500, `Invalid Service Meta for node ${node} and serviceID ${service.ID}: ${problem}`);
  if (!nodeOf(transaction, node)) throw new HttpError(500, 'Missing node registration');
  return writeSpelled(transaction, services, childKey(node, service.ID), { ...service, Node: node });
}

/** The service that an instance is a sidecar proxy for; undefined: it is no proxy. */
export function proxyDestination(service: Pick<Service, 'Kind' | 'Proxy'>): string | undefined {
  return service.Kind === 'connect-proxy' ? service.Proxy.DestinationServiceName : undefined;
}

/**
 * Puts a check; a check of a service gets its name and tags. A critical check ends the sessions that depend on it.
 * @throws HttpError 500: the node or the service does not exist
 */
export function putCheck(transaction: Transaction, check: Content<Check>): Check {
  if (!nodeOf(transaction, check.Node)) throw new HttpError(500, 'Missing node registration');
  const service = check.ServiceID === '' ? undefined : serviceOf(transaction, check.Node, check.ServiceID);
  if (check.ServiceID !== '' && !service) throw new HttpError(500, 'Missing service registration');
  if (check.Status === 'critical') endSessionsOf(transaction, check.Node, check.CheckID);
  return writeSpelled(transaction, checks, childKey(check.Node, check.CheckID), {
    ...check,
    ...(service && { ServiceName: service.Service, ServiceTags: service.Tags }),
  });
}

/** Removes a node, with its services, checks and sessions. */
export function deleteNode(transaction: Transaction, node: string): void {
  if (!nodeOf(transaction, node)) return;
  endSessionsOf(transaction, node);
  transaction.defer(function* () {
    for (const table of [services, checks])
      for (const key of table.keys(transaction, childKey(node, ''))) yield table.delete(transaction, key);
  });
  nodes.delete(transaction, foldName(node));
}

/** Removes a service, with its checks. */
export function deleteService(transaction: Transaction, node: string, id: string): void {
  if (!serviceOf(transaction, node, id)) return;
  services.delete(transaction, childKey(node, id));
  transaction.defer(function* () {
    if (id === '') return;
    for (const { CheckID } of checksOfService(transaction, node, id))
      yield deleteCheck(transaction, node, CheckID);
  });
}

export function deleteCheck(transaction: Transaction, node: string, id: string): void {
  if (!checkOf(transaction, node, id)) return;
  endSessionsOf(transaction, node, id);
  checks.delete(transaction, childKey(node, id));
}
