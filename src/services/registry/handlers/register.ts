import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../wire/json.ts';
import { decodeBody, FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { uuidPattern } from '../../core/uuid.ts';
import type { Permissions } from '../acl/permissions.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { callInDatacenter } from '../call-in-datacenter.ts';
import { readCheck, readNode, readService } from '../catalog-fields.ts';
import { isSameName } from '../fold-name.ts';
import { fieldNames, rejectUnknownFields } from '../known-fields.ts';
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
import { checkTenancy } from '../read-parameters.ts';
import { requirePermission } from '../require-permission.ts';
import { problemOfUuid, problemOfWrittenService } from '../service-rules.ts';

type Registration = ReturnType<typeof readRegistration>;

/** Registers a node, optionally with a service and checks, in the datacenter that it names, atomically. */
export async function register(call: Call): Promise<HttpResponse> {
  const input = await decodeBody(call.request, 'Request decode failed', (body) =>
    readRegistration(body, call.registry.datacenter),
  );
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
}

/** Runs a part of a registration; its errors name the part. */
function inserting(part: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new HttpError(error.status, `failed inserting ${part}: ${error.message}`);
  }
}

const registrationNames = fieldNames(
  'Datacenter ID Node Address TaggedAddresses NodeMeta Service Check Checks SkipNodeUpdate PeerName Token',
  'Locality Namespace Partition',
);

function readRegistration(body: Json | undefined, datacenter: string) {
  if (body === undefined) throw new FieldError('EOF');
  const fields = new Fields(body);
  rejectUnknownFields(body, registrationNames);
  const node = readNode(fields, 'NodeMeta', (fields.string('Datacenter') || datacenter).toLowerCase());
  const serviceValue = fields.get('Service');
  const service = serviceValue === undefined ? undefined : readService(serviceValue);
  const single = fields.get('Check');
  const checks = [...(single === undefined ? [] : [single]), ...fields.list('Checks')].map(readCheck);
  return {
    node,
    skipNodeUpdate: fields.boolean('SkipNodeUpdate'),
    service,
    checks: checks.map((check) => ({ ...check, Node: check.Node || node.Node })),
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

function requireOwnerWrite(permissions: Permissions, node: string, service: string | undefined): void {
  if (service === undefined) requirePermission(permissions, 'node:write', node);
  else requirePermission(permissions, 'service:write', service);
}

const deregistrationNames = fieldNames(
  'Datacenter Node Address ServiceID CheckID PeerName Token Namespace Partition',
);

function readDeregistration(body: Json | undefined, datacenter: string) {
  if (body === undefined) throw new FieldError('EOF');
  const fields = new Fields(body);
  rejectUnknownFields(body, deregistrationNames);
  checkTenancy(fields);
  return {
    datacenter: fields.string('Datacenter') || datacenter,
    node: fields.string('Node'),
    service: fields.string('ServiceID'),
    check: fields.string('CheckID'),
  };
}

/** Removes a service, a check, or a node with its services and checks. */
export async function deregister(call: Call): Promise<HttpResponse> {
  const { datacenter, node, service, check } = await decodeBody(
    call.request,
    'Request decode failed',
    (body) => readDeregistration(body, call.registry.datacenter),
  );
  if (node === '') throw new HttpError(500, 'Must provide node');
  const { permissions, registry } = callInDatacenter(call, datacenter);
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
}
