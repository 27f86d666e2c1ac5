import { sortedByName } from '../../../wire/objects.ts';
import type { HttpResponse } from '../../core/http/http-service.ts';
import { blockingQuery, nonBlockingQuery } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { nearestFirst } from '../federation.ts';
import { nodeFields, nodeServiceFields, serviceNodeFields } from '../filter/fields.ts';
import { type Instance, instancesOf, nodeOf, nodesOf, servicesOf } from '../model/catalog.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { hasMeta, hasTags, metaFilter, nearFirst, readSelection } from './selection.ts';

/** The datacenters by round-trip time, this one first. */
export function listDatacenters(call: Call): HttpResponse {
  return nonBlockingQuery(call, { value: nearestFirst(call.registry) });
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
  return blockingQuery(call, ['services', 'nodes'], (view) => {
    const all = instancesOf(view).filter(({ node }) => hasMeta(node.Meta, meta));
    const { items, filtered } = filterVisible(all, ({ service }) =>
      permissions.allows('service:read', service.Service),
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
}

function nameAndTags({ service }: Instance) {
  return { ServiceName: service.Service, ServiceTags: service.Tags };
}

/** The instances of a service, as flat objects. */
export async function catalogService(call: Call): Promise<HttpResponse> {
  const { permissions, params, request } = call;
  const select = await readSelection(request, serviceNodeFields);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  return blockingQuery(call, ['services', 'nodes'], (view) => {
    const all = instancesOf(view, params.service).filter(
      ({ node, service }) => hasMeta(node.Meta, meta) && hasTags(service.Tags, tags),
    );
    const { items, filtered } = filterVisible(all, ({ node, service }) =>
      canReadInstance(permissions, service.Service, node.Node),
    );
    return { value: select(nearFirst(request, items, ({ node }) => node.Node).map(catalogEntry)), filtered };
  });
}

function catalogEntry({ node, service }: Instance) {
  return {
    ID: node.ID,
    Node: node.Node,
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
    ServiceProxy: service.Proxy,
    ServiceConnect: service.Connect,
    ServiceLocality: service.Locality ?? null,
    CreateIndex: service.CreateIndex,
    ModifyIndex: service.ModifyIndex,
  };
}

/** A node with its services by ID, optionally filtered; null: not found. */
export async function catalogNode(call: Call): Promise<HttpResponse> {
  const { permissions, params, request } = call;
  const select = await readSelection(request, nodeServiceFields);
  const name = params.node ?? '';
  return blockingQuery(call, ['nodes', 'services'], (view) => {
    const node = nodeOf(view, name);
    if (!node) return { value: null };
    if (!permissions.allows('node:read', name)) return { value: null, filtered: true };
    const { items, filtered } = filterVisible(servicesOf(view, name), ({ Service }) =>
      permissions.allows('service:read', Service),
    );
    const Services = Object.fromEntries(select(items).map((service) => [service.ID, service]));
    return { value: { Node: node, Services }, filtered };
  });
}
