import type { HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import { blockingQuery, type QueryResult, withCacheHeaders } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { checkFields, instanceFields } from '../filter/fields.ts';
import { foldName, isSameName } from '../fold-name.ts';
import {
  type Check,
  checksOf,
  checksOfInstance,
  eachCheck,
  eachInstance,
  eachMeshInstance,
  type Instance,
  nodeOf,
} from '../model/catalog.ts';
import type { View } from '../model/tables.ts';
import { booleanParameter } from '../read-parameters.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { serviceView } from '../service-view.ts';
import { hasMeta, hasTags, metaFilter, namesPeer, nearFirst, readSelection } from './selection.ts';

/** The instances of a service with their node and the checks of both; with `passing`, the healthy ones. */
export const healthService = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => eachInstance(view, call.params.service));

/** The same for the instances in the mesh: those with native support, and proxies of the service. */
export const healthConnect = (call: Call): Promise<HttpResponse> =>
  listInstances(call, (view) => eachMeshInstance(view, call.params.service ?? ''));

async function listInstances(
  call: Call,
  lookup: (view: View) => Iterable<Instance | undefined>,
): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, instanceFields);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  const passing = booleanParameter(request, 'passing');
  const hasPeer = namesPeer(request);
  const response = await blockingQuery(call, ['nodes', 'services', 'checks'], async (view) => {
    const found = await filterInSlices(
      hasPeer ? [] : lookup(view),
      (each): each is Instance =>
        each !== undefined && hasMeta(each.node.Meta, meta) && hasTags(each.service.Tags, tags),
    );
    const checked = await mapInSlices(found, ({ node, service }) => ({
      Node: node,
      Service: service,
      Checks: checksOfInstance(view, node.Node, service.ID),
    }));
    const all = await filterInSlices(
      checked,
      ({ Checks }) => !passing || Checks.every(({ Status }) => Status === 'passing'),
    );
    const { items, filtered } = await filterVisible(all, ({ Node, Service }) =>
      canReadInstance(permissions, Service.Service, Node.Node),
    );
    const shown = await mapInSlices(await select(items), (item) => ({
      ...item,
      Service: serviceView(item.Service),
    }));
    return { value: await nearFirst(request, shown, ({ Node }) => Node.Node), filtered };
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
  const isSelected = ({ ServiceName }: Check) => isSameName(ServiceName, call.params.service ?? '');
  return readChecks(call, async (view) => (hasPeer ? [] : filterInSlices(await allChecks(view), isSelected)));
}

/** The checks with a status, or `any`. */
export function healthState(call: Call): Promise<HttpResponse> {
  const state = foldName(call.params.state ?? '');
  return readChecks(call, async (view) =>
    filterInSlices(await allChecks(view), ({ Status }) => state === 'any' || foldName(Status) === state),
  );
}

/** The checks of all nodes, by node. */
async function allChecks(view: View): Promise<Check[]> {
  const all: Check[] = [];
  await forEachInSlices(eachCheck(view), (check) => check && all.push(check));
  return all;
}

async function readChecks(
  call: Call,
  lookup: (view: View) => Promise<readonly Check[]>,
): Promise<HttpResponse> {
  const { permissions, request } = call;
  const select = await readSelection(request, checkFields);
  const meta = metaFilter(request);
  return blockingQuery(call, ['checks', 'nodes'], async (view): Promise<QueryResult> => {
    const all = await filterInSlices(await lookup(view), ({ Node }) =>
      hasMeta(nodeOf(view, Node)?.Meta ?? null, meta),
    );
    const { items, filtered } = await filterVisible(
      all,
      ({ Node, ServiceName }) =>
        permissions.allows('node:read', Node) &&
        (ServiceName === '' || permissions.allows('service:read', ServiceName)),
    );
    return { value: await nearFirst(request, await select(items), ({ Node }) => Node), filtered };
  });
}
