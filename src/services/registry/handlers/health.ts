import type { HttpResponse } from '../../core/http/http-service.ts';
import { blockingQuery, type QueryResult, withCacheHeaders } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { checkFields, instanceFields } from '../filter/fields.ts';
import { foldName, isSameName } from '../fold-name.ts';
import {
  type Check,
  checksOf,
  checksOfInstance,
  eachMeshInstance,
  type Instance,
  instancesOf,
  nodeOf,
  nodesOf,
} from '../model/catalog.ts';
import type { View } from '../model/tables.ts';
import { booleanParameter } from '../read-parameters.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { serviceView } from '../service-view.ts';
import { hasMeta, hasTags, metaFilter, namesPeer, nearFirst, readSelection } from './selection.ts';

/** The instances of a service with their node and the checks of both; with `passing`, the healthy ones. */
export const healthService = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => instancesOf(view, call.params.service));

/** The same for the instances in the mesh: those with native support, and proxies of the service. */
export const healthConnect = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => [...eachMeshInstance(view, call.params.service ?? '')]);

async function listInstances(call: Call, lookup: (view: View) => readonly Instance[]): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, instanceFields);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  const passing = booleanParameter(request, 'passing');
  const hasPeer = namesPeer(request);
  const response = await blockingQuery(call, ['nodes', 'services', 'checks'], (view) => {
    const all = (hasPeer ? [] : lookup(view))
      .filter(({ node, service }) => hasMeta(node.Meta, meta) && hasTags(service.Tags, tags))
      .map(({ node, service }) => ({
        Node: node,
        Service: service,
        Checks: checksOfInstance(view, node.Node, service.ID),
      }))
      .filter(({ Checks }) => !passing || Checks.every(({ Status }) => Status === 'passing'));
    const { items, filtered } = filterVisible(all, ({ Node, Service }) =>
      canReadInstance(permissions, Service.Service, Node.Node),
    );
    const shown = select(items).map((item) => ({ ...item, Service: serviceView(item.Service) }));
    return { value: nearFirst(request, shown, ({ Node }) => Node.Node), filtered };
  });
  return withCacheHeaders(call, response);
}

/** The checks of a node and of its services. */
export function healthNode(call: Call): Promise<HttpResponse> {
  const name = call.params.node ?? '';
  return readChecks(call, (view) => checksOf(view, name));
}

export function healthChecks(call: Call): Promise<HttpResponse> {
  const hasPeer = namesPeer(call.request);
  return readChecks(call, (view) =>
    hasPeer
      ? []
      : allChecks(view).filter(({ ServiceName }) => isSameName(ServiceName, call.params.service ?? '')),
  );
}

/** The checks with a status, or `any`. */
export function healthState(call: Call): Promise<HttpResponse> {
  const state = foldName(call.params.state ?? '');
  return readChecks(call, (view) =>
    allChecks(view).filter(({ Status }) => state === 'any' || foldName(Status) === state),
  );
}

const allChecks = (view: View): Check[] => nodesOf(view).flatMap(({ Node }) => checksOf(view, Node));

async function readChecks(call: Call, lookup: (view: View) => readonly Check[]): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, checkFields);
  const meta = metaFilter(request);
  return blockingQuery(call, ['checks', 'nodes'], (view): QueryResult => {
    const all = lookup(view).filter(({ Node }) => hasMeta(nodeOf(view, Node)?.Meta ?? null, meta));
    const { items, filtered } = filterVisible(
      all,
      ({ Node, ServiceName }) =>
        permissions.allows('node:read', Node) &&
        (ServiceName === '' || permissions.allows('service:read', ServiceName)),
    );
    return { value: nearFirst(request, select(items), ({ Node }) => Node), filtered };
  });
}
