import { sortedByName } from '../../../wire/objects.ts';
import type { HttpResponse } from '../../core/http/http-service.ts';
import { agentResponse, blockingQuery, nonBlockingQuery, withCacheHeaders } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { nearestFirst } from '../federation.ts';
import { nodeFields, nodeServiceFields, serviceNodeFields } from '../filter/fields.ts';
import {
  eachMeshInstance,
  type Instance,
  instancesOf,
  type Node,
  nodeOf,
  nodesOf,
  type Service,
  servicesOf,
} from '../model/catalog.ts';
import type { View } from '../model/tables.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { proxyView, serviceView } from '../service-view.ts';
import { hasMeta, hasTags, metaFilter, namesPeer, nearFirst, readSelection } from './selection.ts';

/** The datacenters by round-trip time, this one first. */
export function listDatacenters(call: Call): HttpResponse {
  return withCacheHeaders(call, agentResponse(call, { value: nearestFirst(call.registry) }));
}

export async function listNodes(call: Call): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, nodeFields);
  const meta = metaFilter(request);
  return blockingQuery(call, ['nodes'], (view) => {
    const all = nodesOf(view).filter(({ Meta }) => hasMeta(Meta, meta));
    const { items, filtered } = filterVisible(all, ({ Node }) => permissions.allows('node:read', Node));
    return { value: nearFirst(request, select(items), ({ Node }) => Node), filtered };
  });
}

/** The names of the services, each with the tags of its instances; with a filter, of those that match. */
export async function listServices(call: Call): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, serviceNodeFields);
  const hasFilter = (request.query.get('filter') ?? '') !== '';
  const meta = metaFilter(request);
  const response = await blockingQuery(call, ['services', 'nodes'], (view) => {
    const all = instancesOf(view).filter(({ node }) => hasMeta(node.Meta, meta));
    const { items, filtered } = filterVisible(all, ({ node, service }) =>
      canReadInstance(permissions, service.Service, node.Node),
    );
    const entries = items.map((item) => (hasFilter ? catalogEntry(item) : nameAndTags(item)));
    const tags = new Map<string, Set<string>>();
    for (const { ServiceName, ServiceTags } of select(entries)) {
      const serviceTags = tags.get(ServiceName) ?? new Set();
      for (const tag of ServiceTags) serviceTags.add(tag);
      tags.set(ServiceName, serviceTags);
    }
    const value = Object.fromEntries([...tags].map(([name, all]) => [name, [...all]]));
    return { value: sortedByName(value), filtered };
  });
  return withCacheHeaders(call, response);
}

function nameAndTags({ service }: Instance) {
  return { ServiceName: service.Service, ServiceTags: service.Tags };
}

/** The instances of a service, as flat objects. */
export const catalogService = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => instancesOf(view, call.params.service));

/** The instances of a service in the mesh: its own with native support, and its proxies. */
export const catalogConnect = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => [...eachMeshInstance(view, call.params.service ?? '')]);

async function listInstances(call: Call, lookup: (view: View) => readonly Instance[]): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, serviceNodeFields);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  const hasPeer = namesPeer(request);
  const response = await blockingQuery(call, ['services', 'nodes'], (view) => {
    const all = (hasPeer ? [] : lookup(view)).filter(
      ({ node, service }) => hasMeta(node.Meta, meta) && hasTags(service.Tags, tags),
    );
    const { items, filtered } = filterVisible(all, ({ node, service }) =>
      canReadInstance(permissions, service.Service, node.Node),
    );
    return { value: select(nearFirst(request, items, ({ node }) => node.Node).map(catalogEntry)), filtered };
  });
  return withCacheHeaders(call, response);
}

/** An empty list: there are no gateways. */
export const listNone = (call: Call): HttpResponse => nonBlockingQuery(call, { value: [] });

function catalogEntry({ node, service }: Instance) {
  return {
    ID: node.ID,
    Node: service.Node ?? node.Node,
    Address: node.Address,
    Datacenter: node.Datacenter,
    TaggedAddresses: node.TaggedAddresses,
    NodeMeta: node.Meta,
    ServiceKind: service.Kind ?? '',
    ServiceID: service.ID,
    ServiceName: service.Service,
    ServiceTags: service.Tags,
    ServiceAddress: service.Address,
    ...(service.TaggedAddresses && { ServiceTaggedAddresses: service.TaggedAddresses }),
    ServiceWeights: service.Weights,
    ServiceMeta: service.Meta ?? {},
    ServicePort: service.Port,
    ServiceSocketPath: service.SocketPath ?? '',
    ServiceEnableTagOverride: service.EnableTagOverride,
    ServiceProxy: proxyView(service.Proxy),
    ServiceConnect: service.Connect,
    ServiceLocality: service.Locality ?? null,
    CreateIndex: service.CreateIndex,
    ModifyIndex: service.ModifyIndex,
  };
}

/** A node with its services by ID, optionally filtered; null: not found. */
export const catalogNode = (call: Call): Promise<HttpResponse> =>
  readNode(call, null, (Node, services) => ({
    Node,
    Services: Object.fromEntries((services ?? []).map((service) => [service.ID, serviceView(service)])),
  }));

/** The same with its services as a list; null: it has none. */
export const catalogNodeServices = (call: Call): Promise<HttpResponse> =>
  readNode(call, { Node: null, Services: null }, (Node, services) => ({
    Node,
    Services: services?.map(serviceView) ?? null,
  }));

async function readNode(
  call: Call,
  missing: object | null,
  toBody: (node: Node, services: readonly Service[] | null) => object,
): Promise<HttpResponse> {
  const { permissions, params, request } = call;
  const select = await readSelection(request, nodeServiceFields);
  const name = params.node ?? '';
  return blockingQuery(call, ['nodes', 'services'], (view) => {
    const node = nodeOf(view, name);
    if (!node) return { value: missing };
    if (!permissions.allows('node:read', name)) return { value: missing, filtered: true };
    const { items, filtered } = filterVisible(servicesOf(view, name), ({ Service }) =>
      permissions.allows('service:read', Service),
    );
    return { value: toBody(node, items.length > 0 ? select(items) : null), filtered };
  });
}
