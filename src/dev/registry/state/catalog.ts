import type { Json } from '../../../wire/json.ts';
import type { Row } from '../../state/draft.ts';
import { type Indexes, putIndexed } from '../../state/indexed.ts';
import type { Draft, Table, View } from './draft.ts';
import { endSessionsOf } from './sessions.ts';

/** Text by name, as clients give it. */
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

/** An instance of a service; its node is not a part of its answers. */
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

/** A write to the catalog that cannot be, in the words of the service. */
export class CatalogError extends Error {}

// The length goes first: names may hold any character, and none of their keys begins like another's.
const below = (name: string, id: string) => `${name.length}:${name}/${id}`;

const instanceKey = (service: string, node: string, id: string) => below(service, below(node, id));

export function nodeOf(view: View, name: string): Node | undefined {
  return view.get('nodes', name) as (Row & Node) | undefined;
}

/** A node by its ID, which has precedence, or by its name. */
export function findNode(view: View, { ID, Node }: Pick<Node, 'ID' | 'Node'>): Node | undefined {
  if (ID === '') return nodeOf(view, Node);
  const found = view.get('node-ids', ID.toLowerCase()) as { readonly node: string } | undefined;
  return found && nodeOf(view, found.node);
}

export function nodesOf(view: View): Node[] {
  return view.keys('nodes', '').flatMap((name) => nodeOf(view, name) ?? []);
}

export function serviceOf(view: View, node: string, id: string): Service | undefined {
  return view.get('services', below(node, id)) as (Row & Service) | undefined;
}

export function servicesOf(view: View, node: string): Service[] {
  return rows<Service>(view, 'services', node);
}

export function checkOf(view: View, node: string, id: string): Check | undefined {
  return view.get('checks', below(node, id)) as (Row & Check) | undefined;
}

/** The name of the service that a check belongs to; undefined: it is a check of the node, whatever name it has. */
export function ownerOf(
  view: View,
  { Node, ServiceID, ServiceName }: Pick<Check, 'Node' | 'ServiceID' | 'ServiceName'>,
): string | undefined {
  return ServiceID === '' ? undefined : (serviceOf(view, Node, ServiceID)?.Service ?? ServiceName);
}

export function checksOf(view: View, node: string): Check[] {
  return rows<Check>(view, 'checks', node);
}

function rows<Kind>(view: View, table: Table, node: string): Kind[] {
  return view.keys(table, below(node, '')).map((key) => view.get(table, key) as Row & Kind);
}

/** An instance of a service, with the node that it is on. */
export interface Instance {
  readonly node: Node;
  readonly service: Service;
}

/** The instances of a service, or of all. */
export function instancesOf(view: View, name?: string): Instance[] {
  return [...eachInstance(view, name)];
}

/** The same, one by one. */
export function eachInstance(view: View, name?: string): Generator<Instance> {
  return instancesIn(view, 'instances', name === undefined ? '' : below(name, ''));
}

/** The instances of a service that speak to the mesh: its own that do so themselves, and the proxies for it. */
export function* eachMeshInstance(view: View, name: string): Generator<Instance> {
  for (const instance of eachInstance(view, name)) {
    if (instance.service.Connect.Native === true) yield instance;
  }
  yield* instancesIn(view, 'proxies', below(name, ''));
}

function* instancesIn(view: View, table: 'instances' | 'proxies', prefix: string): Generator<Instance> {
  for (const key of view.keys(table, prefix)) {
    const at = view.get(table, key) as { readonly node: string; readonly id: string } | undefined;
    const node = at && nodeOf(view, at.node);
    const service = at && serviceOf(view, at.node, at.id);
    if (node && service) yield { node, service };
  }
}

/** @throws CatalogError another node has that ID */
export function putNode(draft: Draft, node: Omit<Node, keyof Indexes>): Node {
  const other = node.ID === '' ? undefined : findNode(draft, { ID: node.ID, Node: '' });
  if (other && other.Node !== node.Node) {
    throw new CatalogError(`node ID "${node.ID}" is already used by node "${other.Node}"`);
  }
  const before = nodeOf(draft, node.Node);
  if (before && before.ID !== node.ID) draft.put('node-ids', before.ID.toLowerCase(), undefined);
  if (node.ID !== '' && before?.ID !== node.ID) {
    draft.put('node-ids', node.ID.toLowerCase(), { node: node.Node });
  }
  return putIndexed(draft, 'nodes', node.Node, node);
}

/** @throws CatalogError the node does not exist */
export function putService(draft: Draft, node: string, service: Omit<Service, keyof Indexes>): Service {
  if (!nodeOf(draft, node)) throw new CatalogError('Missing node registration');
  const before = serviceOf(draft, node, service.ID);
  if (before && before.Service !== service.Service) {
    draft.put('instances', instanceKey(before.Service, node, service.ID), undefined);
  }
  if (before?.Service !== service.Service) {
    draft.put('instances', instanceKey(service.Service, node, service.ID), { node, id: service.ID });
  }
  const proxiedBefore = before && proxiedBy(before);
  const proxied = proxiedBy(service);
  if (proxiedBefore !== undefined && proxiedBefore !== proxied) {
    draft.put('proxies', instanceKey(proxiedBefore, node, service.ID), undefined);
  }
  if (proxied !== undefined && proxied !== proxiedBefore) {
    draft.put('proxies', instanceKey(proxied, node, service.ID), { node, id: service.ID });
  }
  return putIndexed(draft, 'services', below(node, service.ID), service);
}

/** The service that an instance is a sidecar proxy for; undefined: it is none. */
export function proxiedBy(service: Pick<Service, 'Kind' | 'Proxy'>): string | undefined {
  const destination = service.Kind === 'connect-proxy' ? service.Proxy.DestinationServiceName : undefined;
  return typeof destination === 'string' ? destination : undefined;
}

/**
 * Puts a check; one of a service takes its name and tags. Sessions that depend on it end when it is critical.
 * @throws CatalogError the node or the service does not exist
 */
export function putCheck(draft: Draft, check: Omit<Check, keyof Indexes>): Check {
  if (!nodeOf(draft, check.Node)) throw new CatalogError('Missing node registration');
  const service = check.ServiceID === '' ? undefined : serviceOf(draft, check.Node, check.ServiceID);
  if (check.ServiceID !== '' && !service) throw new CatalogError('Missing service registration');
  if (check.Status === 'critical') endSessionsOf(draft, check.Node, check.CheckID);
  return putIndexed(draft, 'checks', below(check.Node, check.CheckID), {
    ...check,
    ...(service && { ServiceName: service.Service, ServiceTags: service.Tags }),
  });
}

/** Removes a node, with its services, checks and sessions. */
export function deleteNode(draft: Draft, node: string): void {
  const known = nodeOf(draft, node);
  if (!known) return;
  for (const { ID } of servicesOf(draft, node)) deleteService(draft, node, ID);
  for (const { CheckID } of checksOf(draft, node)) deleteCheck(draft, node, CheckID);
  endSessionsOf(draft, node);
  if (known.ID !== '') draft.put('node-ids', known.ID.toLowerCase(), undefined);
  draft.put('nodes', node, undefined);
}

/** Removes a service, with its checks. */
export function deleteService(draft: Draft, node: string, id: string): void {
  const known = serviceOf(draft, node, id);
  if (!known) return;
  for (const { CheckID, ServiceID } of checksOf(draft, node)) {
    if (ServiceID === id) deleteCheck(draft, node, CheckID);
  }
  draft.put('instances', instanceKey(known.Service, node, id), undefined);
  const proxied = proxiedBy(known);
  if (proxied !== undefined) draft.put('proxies', instanceKey(proxied, node, id), undefined);
  draft.put('services', below(node, id), undefined);
}

export function deleteCheck(draft: Draft, node: string, id: string): void {
  if (!checkOf(draft, node, id)) return;
  endSessionsOf(draft, node, id);
  draft.put('checks', below(node, id), undefined);
}
