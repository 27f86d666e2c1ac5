import { isDeepStrictEqual } from 'node:util';
import { compact } from '../../../wire/objects.ts';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { uuidPattern } from '../../core/uuid.ts';
import type { Permissions } from '../acl/permissions.ts';
import { writeResponse } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { callInDatacenter } from '../call-in-datacenter.ts';
import {
  checkInput,
  checkOfInput,
  nodeFields,
  nodeIdInput,
  serviceInput,
  serviceOfInput,
} from '../catalog-fields.ts';
import { isSameName } from '../fold-name.ts';
import {
  type Check,
  checkOf,
  deleteCheck,
  deleteNode,
  deleteService,
  findNode,
  type Node,
  nodeOf,
  ownerOf,
  proxyDestination,
  putCheck,
  putNode,
  putService,
  serviceOf,
} from '../model/catalog.ts';
import type { View } from '../model/tables.ts';
import { ignored, tenancyFields } from '../read-parameters.ts';
import { requireOwnerWrite, requirePermission } from '../require-permission.ts';
import { problemOfUuid, problemOfWrittenService } from '../service-rules.ts';
import { isTrue } from './acl-rows.ts';

const operation = operations('Catalog');

/** What both operations have in common. */
const common = {
  bodyError: 'Request decode failed',
  rejectsUnknownFields: 'with hint' as const,
  returns: isTrue,
};

const { TaggedAddresses, Meta, Locality } = nodeFields;
const registration = s.named(
  'Registration',
  s.object({
    Datacenter: s.string('Default: the datacenter of the agent.'),
    ID: nodeIdInput,
    Node: s.required(nodeFields.Node),
    Address: s.string('Of the node. Required unless `SkipNodeUpdate` is set.'),
    TaggedAddresses,
    NodeMeta: Meta,
    Locality,
    Service: s.optional(serviceInput),
    Check: s.optional(checkInput),
    Checks: s.list(checkInput),
    SkipNodeUpdate: s.boolean('Do not change the node if it exists.'),
    ...tenancyFields,
    Token: ignored,
  }),
);

type Registration = ReturnType<typeof registrationOf>;

/** Registers a node, optionally with a service and checks, in the datacenter that it names, atomically. */
export const register = operation('registerNode', 'Register a node, a service or checks', {
  ...common,
  body: registration,
  async handle(call) {
    const input = registrationOf(await call.body(), call.registry.datacenter);
    validateRegistration(input);
    const { permissions, registry } = callInDatacenter(call, input.node.Datacenter);
    await registry.state.update((transaction) => {
      const { node, service, checks } = input;
      const currentNode = nodeOf(transaction, node.Node);
      requireRegistrationPermissions(permissions, input, transaction);
      if (!currentNode || !input.skipNodeUpdate) inserting('node', () => putNode(transaction, node));
      if (service) inserting('service', () => putService(transaction, node.Node, service));
      for (const check of checks) putCheck(transaction, check);
    });
    return writeResponse(call, true);
  },
});

/** Runs a part of a registration; its errors name the part. */
function inserting(part: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new HttpError(error.status, `failed inserting ${part}: ${error.message}`);
  }
}

function registrationOf(input: s.Input<typeof registration>, datacenter: string) {
  const { ID, Node, Address, TaggedAddresses, NodeMeta: Meta, Locality, Service, Check } = input;
  const Datacenter = (input.Datacenter || datacenter).toLowerCase();
  const checks = [...(Check ? [Check] : []), ...input.Checks].map(checkOfInput);
  return {
    node: compact({ ID, Node, Address, Datacenter, TaggedAddresses, Meta, Locality }),
    skipNodeUpdate: input.SkipNodeUpdate,
    service: Service && serviceOfInput(Service),
    checks: checks.map((check) => ({ ...check, Node: check.Node || Node })),
  };
}

/** @throws HttpError 500 (docs/protocol/registry.md#catalog-and-health) */
function validateRegistration({ node, skipNodeUpdate, service, checks }: Registration): void {
  if (node.Node === '') throw new HttpError(500, 'Must provide node');
  if (node.Address === '' && !skipNodeUpdate) {
    throw new HttpError(500, 'Must provide address if SkipNodeUpdate is not set');
  }
  if (node.ID !== '' && !uuidPattern.test(node.ID))
    throw new HttpError(500, `Bad node ID: ${problemOfUuid(node.ID)}`);
  const problem = service && problemOfWrittenService(service);
  if (problem !== undefined) throw new HttpError(500, problem);
  if (checks.some((check) => check.CheckID === '')) {
    throw new HttpError(
      500,
      `failed inserting check on node "${node.Node}": failed health check lookup: index error: object is missing a value for this index`,
    );
  }
  const mismatched = checks.find((check) => !isSameName(check.Node, node.Node));
  if (mismatched) {
    throw new HttpError(
      500,
      `Node '${mismatched.Node}' for check '${mismatched.CheckID}' doesn't match register request node '${node.Node}'`,
    );
  }
}

/**
 * A changed node needs `node:write`; a service and its checks need `service:write`, and a proxy also for its
 * destination.
 */
function requireRegistrationPermissions(permissions: Permissions, input: Registration, view: View): void {
  const { node, service, checks, skipNodeUpdate } = input;
  const currentNode = nodeOf(view, node.Node);
  if (!currentNode || !(skipNodeUpdate || isSame(currentNode, node)))
    requirePermission(permissions, 'node:write', node.Node);
  // Another node with this ID is renamed.
  const renamed = node.ID === '' ? undefined : findNode(view, node);
  if (renamed && !isSameName(renamed.Node, node.Node))
    requirePermission(permissions, 'node:write', renamed.Node);
  if (service) {
    requirePermission(permissions, 'service:write', service.Service);
    // A proxy is returned for its destination, so it needs permission there too.
    const destination = proxyDestination(service);
    if (destination !== undefined) requirePermission(permissions, 'service:write', destination);
    const existing = serviceOf(view, node.Node, service.ID);
    if (existing) requirePermission(permissions, 'service:write', existing.Service);
  }
  for (const check of checks) {
    const isOfService = service !== undefined && check.ServiceID === service.ID;
    if (!isOfService) rejectMissingService(view, node.Node, check);
    requireOwnerWrite(permissions, node.Node, isOfService ? service.Service : ownerOf(view, check));
    const existing = checkOf(view, node.Node, check.CheckID);
    if (existing) requireOwnerWrite(permissions, node.Node, ownerOf(view, existing));
  }
}

/** A check of another service than the one it comes with needs that service, with its ID in the same case. */
function rejectMissingService(
  view: View,
  node: string,
  { CheckID, ServiceID }: Pick<Check, 'CheckID' | 'ServiceID'>,
): void {
  if (ServiceID === '' || serviceOf(view, node, ServiceID)?.ID === ServiceID) return;
  throw new HttpError(500, `Unknown service ID '${ServiceID}' for check ID '${CheckID}'`);
}

/** Whether the registration leaves the node unchanged. */
function isSame(
  currentNode: Node,
  { ID, Address, TaggedAddresses, Meta, Locality }: Registration['node'],
): boolean {
  return (
    currentNode.Address === Address &&
    currentNode.ID === ID &&
    isDeepStrictEqual(
      [currentNode.TaggedAddresses ?? {}, currentNode.Meta ?? {}, currentNode.Locality],
      [TaggedAddresses ?? {}, Meta ?? {}, Locality],
    )
  );
}

/** Removes a service, a check, or a node with its services and checks. */
export const deregister = operation('deregisterNode', 'Deregister a node, a service or a check', {
  ...common,
  body: s.named(
    'Deregistration',
    s.object({
      Datacenter: s.string(),
      Node: s.required(s.string('The node, unless a service or check is given.')),
      ...s.each(['ServiceID', 'CheckID'], s.string()),
      ...tenancyFields,
      ...s.each(['Address', 'Token'], ignored),
    }),
  ),
  async handle(call) {
    const { Datacenter, Node: node, ServiceID: service, CheckID: check } = await call.body();
    if (node === '') throw new HttpError(500, 'Must provide node');
    const { permissions, registry } = callInDatacenter(call, Datacenter || call.registry.datacenter);
    await registry.state.update((transaction) => {
      if (service !== '') {
        requireOwnerWrite(permissions, node, serviceOf(transaction, node, service)?.Service);
        deleteService(transaction, node, service);
      } else if (check !== '') {
        const currentNode = checkOf(transaction, node, check);
        requireOwnerWrite(permissions, node, currentNode && ownerOf(transaction, currentNode));
        deleteCheck(transaction, node, check);
      } else {
        requirePermission(permissions, 'node:write', node);
        deleteNode(transaction, node);
      }
    });
    return writeResponse(call, true);
  },
});
