import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { visible } from '../http/demand.ts';
import { type Found, read } from '../http/read.ts';
import { type Check, checksOf, instancesOf, nodeOf, nodesOf, statuses } from '../state/catalog.ts';
import type { View } from '../state/draft.ts';
import { agentFirst, hasMeta, hasTags, metaFilter, selectionOf } from './selection.ts';

/** The instances of a service with their node and the checks of both; with `passing`, the healthy ones. */
export async function healthService(call: Call): Promise<Answer> {
  const { authority, params, request } = call;
  const select = await selectionOf(request);
  const meta = metaFilter(request);
  const tags = request.query.getAll('tag');
  const passing = passingOf(call);
  return read(call, ['nodes', 'services', 'checks'], (view) => {
    const all = instancesOf(view, params.service)
      .filter(({ node, service }) => hasMeta(node.Meta, meta) && hasTags(service.Tags, tags))
      .map(({ node, service }) => ({
        Node: node,
        Service: service,
        Checks: checksOf(view, node.Node).filter(({ ServiceID }) => ['', service.ID].includes(ServiceID)),
      }))
      .filter(({ Checks }) => !passing || Checks.every(({ Status }) => Status === 'passing'));
    const { items, filtered } = visible(
      all,
      ({ Node, Service }) =>
        authority.may('service:read', Service.Service) && authority.may('node:read', Node.Node),
    );
    return { value: agentFirst(request, select(items), ({ Node }) => Node.Node), filtered };
  });
}

function passingOf({ request }: Call): boolean {
  const text = request.query.get('passing');
  if (text === null || text === '0' || text === 'false') return false;
  if (['', '1', 'true'].includes(text)) return true;
  throw new HttpRefusal(400, 'Invalid value for ?passing');
}

/** The checks of a node and of its services. */
export function healthNode(call: Call): Promise<Answer> {
  const name = call.params.node ?? '';
  return readChecks(call, (view) => checksOf(view, name));
}

/** The checks of the instances of a service. */
export function healthChecks(call: Call): Promise<Answer> {
  return readChecks(call, (view) =>
    allChecks(view).filter(({ ServiceName }) => ServiceName === call.params.service),
  );
}

/** The checks that are in a state, or `any`. */
export function healthState(call: Call): Promise<Answer> {
  const { state = '' } = call.params;
  if (![...statuses, 'any'].some((known) => known === state)) {
    throw new HttpRefusal(400, `Invalid check state: "${state}"`);
  }
  return readChecks(call, (view) =>
    allChecks(view).filter(({ Status }) => state === 'any' || Status === state),
  );
}

function allChecks(view: View): Check[] {
  return nodesOf(view).flatMap(({ Node }) => checksOf(view, Node));
}

async function readChecks(call: Call, look: (view: View) => readonly Check[]): Promise<Answer> {
  const { authority, request } = call;
  const select = await selectionOf(request);
  const meta = metaFilter(request);
  return read(call, ['checks', 'nodes'], (view): Found => {
    const all = look(view).filter(({ Node }) => hasMeta(nodeOf(view, Node)?.Meta ?? null, meta));
    const { items, filtered } = visible(
      all,
      ({ Node, ServiceName }) =>
        authority.may('node:read', Node) &&
        (ServiceName === '' || authority.may('service:read', ServiceName)),
    );
    return { value: agentFirst(request, select(items), ({ Node }) => Node), filtered };
  });
}
