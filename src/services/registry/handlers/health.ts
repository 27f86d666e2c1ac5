import type { HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { blockingQuery, withCacheHeaders } from '../blocking-query.ts';
import { type Call, readOperations } from '../call.ts';
import { check, node, service } from '../catalog-fields.ts';
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
import { booleanFlag, instanceParameters, listParameters, peer } from '../read-parameters.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { serviceView } from '../service-view.ts';
import { listGatewayServices } from './catalog.ts';
import { hasMeta, matchingInstances, metaFilter, nearFirst, readSelection } from './selection.ts';

const readOperation = readOperations('Health');

/** The instances of a service with their node and the checks of both. */
const listInstances = (
  id: string,
  summary: string,
  lookup: (view: View, service: string) => Iterable<Instance | undefined>,
) =>
  readOperation(id, summary, {
    query: { ...instanceParameters, passing: booleanFlag('Only instances whose checks all pass.') },
    returns: s.list(
      s.named('ServiceHealth', s.object({ Node: node, Service: service, Checks: s.list(check) })),
    ),
    async handle(call) {
      const query = call.query();
      const select = await readSelection(query.filter, instanceFields);
      const response = await blockingQuery(call, ['nodes', 'services', 'checks'], async (view) => {
        const found = await matchingInstances(lookup(view, call.params.service ?? ''), query);
        const checked = await mapInSlices(found, (each) => ({
          Node: each.node,
          Service: each.service,
          Checks: checksOfInstance(view, each.node.Node, each.service.ID),
        }));
        const all = await filterInSlices(
          checked,
          ({ Checks }) => !query.passing || Checks.every(({ Status }) => Status === 'passing'),
        );
        const { items, filtered } = await filterVisible(all, ({ Node, Service }) =>
          canReadInstance(call.permissions, Service.Service, Node.Node),
        );
        const shown = await mapInSlices(await select(items), (item) => ({
          ...item,
          Service: serviceView(item.Service),
        }));
        return { value: await nearFirst(query.near, shown, ({ Node }) => Node.Node), filtered };
      });
      return withCacheHeaders(call, response);
    },
  });

/** The instances of a service with their node and the checks of both; with `passing`, the healthy ones. */
export const healthService = listInstances(
  'listServiceHealth',
  'List instances of a service with their checks',
  eachInstance,
);
/** Instances in the mesh: with native support, and proxies. */
export const healthConnect = listInstances(
  'listMeshHealth',
  'List instances of a service in the mesh with their checks',
  eachMeshInstance,
);

export const healthIngress = {
  ...listGatewayServices,
  id: 'listIngressHealth',
  tag: 'Health',
  summary: 'List ingress gateways of a service; always none',
};

const returns = s.list(check);

/** The checks of a node and of its services. */
export const healthNode = readOperation('listNodeChecks', 'List checks of a node', {
  query: listParameters,
  returns,
  handle: (call) => readChecks(call, call.query(), (view) => checksOf(view, call.params.node ?? '')),
});

export const healthChecks = readOperation('listServiceChecks', 'List checks of a service', {
  query: { ...listParameters, peer },
  returns,
  handle(call) {
    const query = call.query();
    const isSelected = ({ ServiceName }: Check) => isSameName(ServiceName, call.params.service ?? '');
    return readChecks(call, query, async (view) =>
      query.peer === '' ? filterInSlices(await allChecks(view), isSelected) : [],
    );
  },
});

/** The checks with a status, or `any`. */
export const healthState = readOperation('listChecksInState', 'List checks in a state', {
  query: listParameters,
  returns,
  handle(call) {
    const state = foldName(call.params.state ?? '');
    return readChecks(call, call.query(), async (view) =>
      filterInSlices(await allChecks(view), ({ Status }) => state === 'any' || foldName(Status) === state),
    );
  },
});

/** The checks of all nodes, by node. */
const allChecks = (view: View): Promise<Check[]> =>
  filterInSlices(eachCheck(view), (check): check is Check => check !== undefined);

type ListQuery = s.Input<s.ObjectType<typeof listParameters>>;

async function readChecks(
  call: Call,
  { filter, near, 'node-meta': nodeMeta }: ListQuery,
  lookup: (view: View) => Promise<readonly Check[]>,
): Promise<HttpResponse> {
  const { permissions } = call;
  const select = await readSelection(filter, checkFields);
  const meta = metaFilter(nodeMeta);
  return blockingQuery(call, ['checks', 'nodes'], async (view) => {
    const all = await filterInSlices(await lookup(view), ({ Node }) =>
      hasMeta(nodeOf(view, Node)?.Meta ?? null, meta),
    );
    const { items, filtered } = await filterVisible(
      all,
      ({ Node, ServiceName }) =>
        permissions.allows('node:read', Node) &&
        (ServiceName === '' || permissions.allows('service:read', ServiceName)),
    );
    return { value: await nearFirst(near, await select(items), ({ Node }) => Node), filtered };
  });
}
