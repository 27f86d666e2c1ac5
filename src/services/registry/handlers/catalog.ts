import type { HttpResponse } from '../../core/http/http-service.ts';
import { JsonEntries } from '../../core/http/json-body.ts';
import { filterInSlices, forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import { SortedMap } from '../../core/store/sorted-map.ts';
import { agentResponse, blockingQuery, nonBlockingQuery, withCacheHeaders } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { nearestFirst } from '../federation.ts';
import { nodeFields, nodeServiceFields, serviceNodeFields } from '../filter/fields.ts';
import {
  eachInstance,
  eachMeshInstance,
  type Instance,
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
  return blockingQuery(call, ['nodes'], async (view) => {
    const all = await filterInSlices(await nodesOf(view), ({ Meta }) => hasMeta(Meta, meta));
    const { items, filtered } = await filterVisible(all, ({ Node }) => permissions.allows('node:read', Node));
    return { value: await nearFirst(request, await select(items), ({ Node }) => Node), filtered };
  });
}

/** The names of the services, each with the tags of its instances; with a filter, of those that match. */
export async function listServices(call: Call): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, serviceNodeFields);
  const hasFilter = (request.query.get('filter') ?? '') !== '';
  const meta = metaFilter(request);
  const response = await blockingQuery(call, ['services', 'nodes'], async (view) => {
    const all = await filterInSlices(eachInstance(view), ({ node }) => hasMeta(node.Meta, meta));
    const { items, filtered } = await filterVisible(all, ({ node, service }) =>
      canReadInstance(permissions, service.Service, node.Node),
    );
    const entries = await mapInSlices(items, (item) => (hasFilter ? catalogEntry(item) : nameAndTags(item)));
    const tags = new SortedMap<Set<string>>();
    await forEachInSlices(await select(entries), ({ ServiceName, ServiceTags }) => {
      const serviceTags = tags.get(ServiceName) ?? new Set<string>();
      for (const tag of ServiceTags) serviceTags.add(tag);
      tags.put(ServiceName, serviceTags);
    });
    const named = await mapInSlices(tags.keys(''), (name) => [name, [...(tags.get(name) ?? [])]] as const);
    return { value: new JsonEntries(named), filtered };
  });
  return withCacheHeaders(call, response);
}

function nameAndTags({ service }: Instance) {
  return { ServiceName: service.Service, ServiceTags: service.Tags };
}

/** The instances of a service, as flat objects. */
export const catalogService = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => eachInstance(view, call.params.service));

/** The instances of a service in the mesh: its own with native support, and its proxies. */
export const catalogConnect = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => eachMeshInstance(view, call.params.service ?? ''));

async function listInstances(
  call: Call,
  lookup: (view: View) => Iterable<Instance | undefined>,
): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, serviceNodeFields);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  const hasPeer = namesPeer(request);
  const response = await blockingQuery(call, ['services', 'nodes'], async (view) => {
    const all = await filterInSlices(
      hasPeer ? [] : lookup(view),
      (each): each is Instance =>
        each !== undefined && hasMeta(each.node.Meta, meta) && hasTags(each.service.Tags, tags),
    );
    const { items, filtered } = await filterVisible(all, ({ node, service }) =>
      canReadInstance(permissions, service.Service, node.Node),
    );
    const near = await nearFirst(request, items, ({ node }) => node.Node);
    return { value: await select(await mapInSlices(near, catalogEntry)), filtered };
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
  readNode(call, null, async (Node, services) => ({
    Node,
    Services: new JsonEntries(
      await mapInSlices(services ?? [], (service) => [service.ID, serviceView(service)] as const),
    ),
  }));

/** The same with its services as a list; null: it has none. */
export const catalogNodeServices = (call: Call): Promise<HttpResponse> =>
  readNode(call, { Node: null, Services: null }, async (Node, services) => ({
    Node,
    Services: services && (await mapInSlices(services, serviceView)),
  }));

async function readNode(
  call: Call,
  missing: object | null,
  toBody: (node: Node, services: readonly Service[] | null) => Promise<object>,
): Promise<HttpResponse> {
  const { permissions, params, request } = call;
  const select = await readSelection(request, nodeServiceFields);
  const name = params.node ?? '';
  return blockingQuery(call, ['nodes', 'services'], async (view) => {
    const node = nodeOf(view, name);
    if (!node) return { value: missing };
    if (!permissions.allows('node:read', name)) return { value: missing, filtered: true };
    const { items, filtered } = await filterVisible(await servicesOf(view, name), ({ Service }) =>
      permissions.allows('service:read', Service),
    );
    return { value: await toBody(node, items.length > 0 ? await select(items) : null), filtered };
  });
}
