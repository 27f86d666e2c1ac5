import { JsonEntries } from '../../core/http/json-body.ts';
import { filterInSlices, forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { SortedMap } from '../../core/store/sorted-map.ts';
import { agentResponse, blockingQuery, nonBlockingQuery, withCacheHeaders } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import { node, service, serviceInstance } from '../catalog-fields.ts';
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
import { cached, filter, instanceParameters, listParameters, nodeMeta } from '../read-parameters.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { proxyView, serviceView } from '../service-view.ts';
import { hasMeta, matchingInstances, metaFilter, nearFirst, readSelection } from './selection.ts';

const readOperation = readOperations('Catalog');

/** The datacenters by round-trip time, this one first. */
export const listDatacenters = operations('Catalog')('listDatacenters', 'List datacenters', {
  isUnauthenticated: true,
  query: { cached },
  returns: s.list(s.string()),
  handle: (call) => withCacheHeaders(call, agentResponse(call, { value: nearestFirst(call.registry) })),
});

export const listNodes = readOperation('listNodes', 'List nodes', {
  query: listParameters,
  returns: s.list(node),
  async handle(call) {
    const query = call.query();
    const select = await readSelection(query.filter, nodeFields);
    const meta = metaFilter(query['node-meta']);
    return blockingQuery(call, ['nodes'], async (view) => {
      const all = await filterInSlices(await nodesOf(view), ({ Meta }) => hasMeta(Meta, meta));
      const { items, filtered } = await filterVisible(all, ({ Node }) =>
        call.permissions.allows('node:read', Node),
      );
      return { value: await nearFirst(query.near, await select(items), ({ Node }) => Node), filtered };
    });
  },
});

/** The names of the services, each with the tags of its instances that match the filter. */
export const listServices = readOperation('listServices', 'List services with their tags', {
  query: { filter, 'node-meta': nodeMeta, cached },
  returns: s.map(s.list(s.string())),
  async handle(call) {
    const query = call.query();
    const select = await readSelection(query.filter, serviceNodeFields);
    const meta = metaFilter(query['node-meta']);
    const response = await blockingQuery(call, ['services', 'nodes'], async (view) => {
      const all = await filterInSlices(eachInstance(view), (each) => hasMeta(each.node.Meta, meta));
      const { items, filtered } = await filterVisible(all, (each) =>
        canReadInstance(call.permissions, each.service.Service, each.node.Node),
      );
      const entries = await mapInSlices(items, query.filter === '' ? nameAndTags : catalogEntry);
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
  },
});

const nameAndTags = ({ service }: Instance) => ({
  ServiceName: service.Service,
  ServiceTags: service.Tags,
});

/** The instances of a service, as flat objects. */
const listInstances = (
  id: string,
  summary: string,
  lookup: (view: View, service: string) => Iterable<Instance | undefined>,
) =>
  readOperation(id, summary, {
    query: instanceParameters,
    returns: s.list(serviceInstance),
    async handle(call) {
      const query = call.query();
      const select = await readSelection(query.filter, serviceNodeFields);
      const response = await blockingQuery(call, ['services', 'nodes'], async (view) => {
        const all = await matchingInstances(lookup(view, call.params.service ?? ''), query);
        const { items, filtered } = await filterVisible(all, (each) =>
          canReadInstance(call.permissions, each.service.Service, each.node.Node),
        );
        const near = await nearFirst(query.near, items, (each) => each.node.Node);
        return { value: await select(await mapInSlices(near, catalogEntry)), filtered };
      });
      return withCacheHeaders(call, response);
    },
  });

/** The instances of a service, as flat objects. */
export const catalogService = listInstances(
  'listServiceInstances',
  'List instances of a service',
  eachInstance,
);
/** Instances in the mesh: with native support, and proxies. */
export const catalogConnect = listInstances(
  'listMeshInstances',
  'List instances of a service in the mesh',
  eachMeshInstance,
);

/** An empty list: there are no gateways. */
export const listGatewayServices = readOperation(
  'listGatewayServices',
  'List services of a gateway; always none',
  { returns: s.list(s.anyObject()), handle: (call) => nonBlockingQuery(call, { value: [] }) },
);

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
    ServiceTaggedAddresses: service.TaggedAddresses,
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

/** A node with its services. @param missing the response if there is no such node */
const readNode = (
  id: string,
  summary: string,
  returns: s.Type,
  missing: object | null,
  toBody: (node: Node, services: readonly Service[] | null) => Promise<object>,
) =>
  readOperation(id, summary, {
    query: { filter },
    returns,
    async handle(call) {
      const { permissions, params } = call;
      const select = await readSelection(call.query().filter, nodeServiceFields);
      const name = params.node ?? '';
      return blockingQuery(call, ['nodes', 'services'], async (view) => {
        const found = nodeOf(view, name);
        if (!found) return { value: missing };
        if (!permissions.allows('node:read', name)) return { value: missing, filtered: true };
        const { items, filtered } = await filterVisible(await servicesOf(view, name), ({ Service }) =>
          permissions.allows('service:read', Service),
        );
        return { value: await toBody(found, items.length > 0 ? await select(items) : null), filtered };
      });
    },
  });

/** The services by ID. */
export const catalogNode = readNode(
  'getNode',
  'Read a node with its services',
  s.nullable(s.object({ Node: node, Services: s.map(service) })),
  null,
  async (Node, services) => ({
    Node,
    Services: new JsonEntries(
      await mapInSlices(services ?? [], (each) => [each.ID, serviceView(each)] as const),
    ),
  }),
);

/** The services as a list; null: the node has none. */
export const catalogNodeServices = readNode(
  'listNodeServices',
  'List services of a node',
  s.object({ Node: s.nullable(node), Services: s.nullable(s.list(service)) }),
  { Node: null, Services: null },
  async (Node, services) => ({ Node, Services: services && (await mapInSlices(services, serviceView)) }),
);
