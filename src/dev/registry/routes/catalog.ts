import type { Answer } from '../../http/service.ts';
import { nearestFirst } from '../federation.ts';
import type { Call } from '../http/call.ts';
import { visible } from '../http/demand.ts';
import { read, readOnce } from '../http/read.ts';
import { type Instance, instancesOf, nodeOf, nodesOf, servicesOf } from '../state/catalog.ts';
import { agentFirst, hasMeta, hasTags, metaFilter, refuseFilter, selectionOf } from './selection.ts';

/** The datacenters, this one first, then the others from the nearest to the farthest. */
export function listDatacenters(call: Call): Answer {
  return readOnce(call, { value: nearestFirst(call.registry) });
}

export async function listNodes(call: Call): Promise<Answer> {
  const { authority, request } = call;
  const select = await selectionOf(request);
  const meta = metaFilter(request);
  return read(call, ['nodes'], (view) => {
    const all = nodesOf(view).filter(({ Meta }) => hasMeta(Meta, meta));
    const { items, filtered } = visible(all, ({ Node }) => authority.may('node:read', Node));
    return { value: agentFirst(request, select(items), ({ Node }) => Node), filtered };
  });
}

/** The names of the services, each with the tags of its instances. */
export function listServices(call: Call): Promise<Answer> {
  const { authority, request } = call;
  refuseFilter(request);
  const meta = metaFilter(request);
  return read(call, ['services', 'nodes'], (view) => {
    const all = instancesOf(view).filter(({ node }) => hasMeta(node.Meta, meta));
    const { items, filtered } = visible(all, ({ service }) => authority.may('service:read', service.Service));
    const tags = new Map<string, Set<string>>();
    for (const { service } of items) {
      const known = tags.get(service.Service) ?? new Set();
      for (const tag of service.Tags) known.add(tag);
      tags.set(service.Service, known);
    }
    return { value: Object.fromEntries([...tags].map(([name, all]) => [name, [...all]])), filtered };
  });
}

/** The instances of a service, flat. */
export async function catalogService(call: Call): Promise<Answer> {
  const { authority, params, request } = call;
  const select = await selectionOf(request);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  return read(call, ['services', 'nodes'], (view) => {
    const all = instancesOf(view, params.service).filter(
      ({ node, service }) => hasMeta(node.Meta, meta) && hasTags(service.Tags, tags),
    );
    const { items, filtered } = visible(
      all,
      ({ node, service }) =>
        authority.may('service:read', service.Service) && authority.may('node:read', node.Node),
    );
    return { value: select(agentFirst(request, items, ({ node }) => node.Node).map(flat)), filtered };
  });
}

function flat({ node, service }: Instance): object {
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
    ServiceEnableTagOverride: service.EnableTagOverride,
    ServiceProxy: service.Proxy,
    ServiceConnect: service.Connect,
    CreateIndex: service.CreateIndex,
    ModifyIndex: service.ModifyIndex,
  };
}

/** A node with its services by ID, those that a filter selects; null: there is none. */
export async function catalogNode(call: Call): Promise<Answer> {
  const { authority, params, request } = call;
  const select = await selectionOf(request);
  const name = params.node ?? '';
  return read(call, ['nodes', 'services'], (view) => {
    const node = nodeOf(view, name);
    if (!node) return { value: null };
    if (!authority.may('node:read', name)) return { value: null, filtered: true };
    const { items, filtered } = visible(servicesOf(view, name), ({ Service }) =>
      authority.may('service:read', Service),
    );
    const Services = Object.fromEntries(select(items).map((service) => [service.ID, service]));
    return { value: { Node: node, Services }, filtered };
  });
}
