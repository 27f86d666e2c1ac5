import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../wire/json.ts';
import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Indexes } from '../../state/indexed.ts';
import type { Authority } from '../acl/authority.ts';
import type { Call } from '../http/call.ts';
import { isNodeId, readCheck, readNode, readService } from '../http/catalog-fields.ts';
import { callIn } from '../http/datacenter.ts';
import { demand } from '../http/demand.ts';
import { checkPlace } from '../http/parameters.ts';
import { written } from '../http/read.ts';
import {
  type Check,
  checkOf,
  deleteCheck,
  deleteNode,
  deleteService,
  type Node,
  nodeOf,
  ownerOf,
  proxiedBy,
  putCheck,
  putNode,
  putService,
  type Service,
  serviceOf,
} from '../state/catalog.ts';
import type { View } from '../state/draft.ts';

interface Registration {
  readonly node: Omit<Node, keyof Indexes>;
  readonly skipNodeUpdate: boolean;
  readonly service: Omit<Service, keyof Indexes> | undefined;
  readonly checks: readonly Omit<Check, keyof Indexes>[];
}

/** Registers a node with, if given, one of its services and checks, in the datacenter that it names: all or nothing. */
export async function register(call: Call): Promise<Answer> {
  const wanted = await decode(call.request, 'Request decode failed', (body) =>
    readRegistration(body, call.registry.datacenter),
  );
  validate(wanted);
  const { authority, registry } = callIn(call, wanted.node.Datacenter);
  await registry.state.change((draft) => {
    const { node, service, checks } = wanted;
    const known = nodeOf(draft, node.Node);
    allowRegistration(authority, wanted, draft);
    if (!known || !wanted.skipNodeUpdate) putNode(draft, { ...node, ID: node.ID || known?.ID || '' });
    if (service) putService(draft, node.Node, service);
    for (const check of checks) putCheck(draft, check);
  });
  return written(call, true);
}

function readRegistration(body: Json | undefined, datacenter: string): Registration {
  const fields = new Fields(body ?? {});
  const node = readNode(fields, 'NodeMeta', (fields.text('Datacenter') || datacenter).toLowerCase());
  const serviceFields = fields.object('Service');
  const service = serviceFields && readService(serviceFields);
  const single = fields.object('Check');
  const checks = [
    ...(single ? [single] : []),
    ...fields.list('Checks').map((check) => new Fields(check, 'Checks')),
  ].map(readCheck);
  return {
    node,
    skipNodeUpdate: fields.boolean('SkipNodeUpdate'),
    service,
    checks: checks.map((check) => ({ ...check, Node: check.Node || node.Node })),
  };
}

/** @throws HttpRefusal 500 (docs/protocol/registry.md#catalog-and-health) */
function validate({ node, skipNodeUpdate, service, checks }: Registration): void {
  if (node.Node === '') throw new HttpRefusal(500, 'Must provide node');
  if (node.Address === '' && !skipNodeUpdate) {
    throw new HttpRefusal(500, 'Must provide address if SkipNodeUpdate is not set');
  }
  if (node.ID !== '' && !isNodeId(node.ID)) throw new HttpRefusal(500, `Bad node ID: ${node.ID}`);
  if (service && service.Service === '') throw new HttpRefusal(500, 'Must provide service name with ID');
  if (checks.some((check) => check.CheckID === ''))
    throw new HttpRefusal(500, 'Must provide a check ID or name');
  const stray = checks.find((check) => check.Node !== node.Node);
  if (stray) {
    throw new HttpRefusal(
      500,
      `check "${stray.CheckID}" is of node "${stray.Node}", the registration is of "${node.Node}"`,
    );
  }
}

/**
 * A node needs `node:write` when it changes; what belongs to a service needs `service:write`, and a proxy on its
 * destination too.
 */
function allowRegistration(authority: Authority, wanted: Registration, view: View): void {
  const { node, service, checks, skipNodeUpdate } = wanted;
  const known = nodeOf(view, node.Node);
  if (!known || !(skipNodeUpdate || isSame(known, node))) demand(authority, 'node:write', node.Node);
  if (service) {
    demand(authority, 'service:write', service.Service);
    // A proxy is given to those who look for its destination: it needs permission there too.
    const destination = proxiedBy(service);
    if (destination !== undefined) demand(authority, 'service:write', destination);
    const before = serviceOf(view, node.Node, service.ID);
    if (before) demand(authority, 'service:write', before.Service);
  }
  for (const check of checks) {
    const isOfService = service !== undefined && check.ServiceID === service.ID;
    demandOf(authority, node.Node, isOfService ? service.Service : ownerOf(view, check));
    const before = checkOf(view, node.Node, check.CheckID);
    if (before) demandOf(authority, node.Node, ownerOf(view, before));
  }
}

/** Does the registration leave the node unchanged? Without an ID it keeps the current one. */
function isSame(known: Node, { ID, Address, TaggedAddresses, Meta }: Registration['node']): boolean {
  return (
    known.Address === Address &&
    [known.ID, ''].includes(ID) &&
    isDeepStrictEqual([known.TaggedAddresses ?? {}, known.Meta ?? {}], [TaggedAddresses ?? {}, Meta ?? {}])
  );
}

function demandOf(authority: Authority, node: string, service: string | undefined): void {
  if (service === undefined) demand(authority, 'node:write', node);
  else demand(authority, 'service:write', service);
}

/** Removes a service, a check, or a node with all that belongs to it. */
export async function deregister(call: Call): Promise<Answer> {
  const { datacenter, node, service, check } = await decode(call.request, 'Request decode failed', (body) => {
    const fields = new Fields(body ?? {});
    checkPlace(fields);
    return {
      datacenter: fields.text('Datacenter') || call.registry.datacenter,
      node: fields.text('Node'),
      service: fields.text('ServiceID'),
      check: fields.text('CheckID'),
    };
  });
  if (node === '') throw new HttpRefusal(500, 'Must provide node');
  const { authority, registry } = callIn(call, datacenter);
  await registry.state.change((draft) => {
    if (service !== '') {
      demandOf(authority, node, serviceOf(draft, node, service)?.Service);
      deleteService(draft, node, service);
    } else if (check !== '') {
      const known = checkOf(draft, node, check);
      demandOf(authority, node, known && ownerOf(draft, known));
      deleteCheck(draft, node, check);
    } else {
      demand(authority, 'node:write', node);
      deleteNode(draft, node);
    }
  });
  return written(call, true);
}
