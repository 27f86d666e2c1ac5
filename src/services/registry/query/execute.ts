import { HttpError } from '../../core/http/http-service.ts';
import type { Permissions } from '../acl/permissions.ts';
import { agentNode } from '../agent-node.ts';
import type { Registry } from '../call.ts';
import type { Failover, Query } from '../model/queries.ts';
import { filterVisible } from '../require-permission.ts';
import { type CheckedInstance, checkedInstances } from './checked-instances.ts';
import { randomOrder } from './order.ts';
import { instanceFilter } from './select.ts';

/** What an execution is asked for, beyond the query. */
export interface Execution {
  /** A node, `_agent`, `_ip`; empty: none. */
  readonly near: string;
  /** Where the request comes from. */
  readonly address: string;
  /** 0: all. */
  readonly limit: number;
  /** Only instances that speak to the mesh. */
  readonly connect: boolean;
  /** What may be seen in a datacenter. @throws HttpError 403: the token is not known there */
  readonly permissionsIn: (registry: Registry) => Permissions;
}

/** What an execution found, and where. */
export interface ExecutionResult {
  readonly nodes: readonly CheckedInstance[];
  readonly datacenter: string;
  /** Other datacenters that were asked. */
  readonly failovers: number;
  /** Was something left out that may not be seen? */
  readonly filtered: boolean;
}

/**
 * Executes a rendered query: in its own datacenter and, if nothing healthy is there, in those of its failover, one
 * after the other, until one has something (docs/protocol/queries-and-chain.md#prepared-query).
 */
export async function execute(
  registry: Registry,
  query: Query,
  execution: Execution,
): Promise<ExecutionResult> {
  const { datacenter } = registry;
  const localResult = await healthyInstances(registry, query, execution, execution.permissionsIn(registry));
  let { filtered } = localResult;
  if (localResult.items.length > 0) {
    const nodes = randomOrder(
      localResult.items,
      nearPredicate(localResult.items, query, execution),
      execution.limit,
      registry.random,
    );
    return { nodes, datacenter, failovers: 0, filtered };
  }
  let failovers = 0;
  for (const other of failoverRegistries(registry, query.Service.Failover)) {
    failovers++;
    const permissions = permissionsAt(other, execution);
    if (!permissions) continue;
    const result = await healthyInstances(other, query, execution, permissions);
    filtered ||= result.filtered;
    if (result.items.length === 0) continue;
    // Another datacenter's nodes are all equally far: none of them is near.
    const nodes = randomOrder(result.items, () => false, execution.limit, registry.random);
    return { nodes, datacenter: other.datacenter, failovers, filtered };
  }
  return { nodes: [], datacenter, failovers, filtered };
}

async function healthyInstances(
  { state }: Registry,
  { Service }: Query,
  { connect }: Execution,
  permissions: Permissions,
): Promise<{ readonly items: readonly CheckedInstance[]; readonly filtered: boolean }> {
  const all = await checkedInstances(state, Service.Service, connect || Service.Connect);
  return filterVisible(
    all.filter(instanceFilter(Service)),
    (each) =>
      permissions.allows('service:read', each.Service.Service) &&
      permissions.allows('node:read', each.Node.Node),
  );
}

/**
 * Embedded nodes have no network coordinates: the node that is meant is near, and all others are equally far. What
 * the request says goes before what the query says.
 */
function nearPredicate(
  items: readonly CheckedInstance[],
  { Service }: Query,
  { near, address }: Execution,
): (candidate: CheckedInstance) => boolean {
  const nearName = near || Service.Near;
  if (nearName === '') return () => false;
  const name =
    nearName === '_agent'
      ? agentNode
      : nearName === '_ip'
        ? items.find(({ Node }) => Node.Address === address)?.Node.Node
        : nearName;
  return ({ Node }) => Node.Node === name;
}

/** The datacenters of a failover that there are: the nearest first, then those that are named; each once. */
function failoverRegistries({ federation, datacenter }: Registry, failover: Failover): Registry[] {
  const { NearestN, Datacenters, Targets } = failover;
  const nearest = federation.datacenters
    .filter((name) => name !== datacenter)
    .sort((a, b) => federation.roundTrip(datacenter, a) - federation.roundTrip(datacenter, b));
  // An embedded registry has no peers: a target that is one cannot be asked.
  const targets = (Targets ?? []).filter(({ Peer }) => Peer === '').map((target) => target.Datacenter);
  const names = new Set([...nearest.slice(0, NearestN), ...(Datacenters ?? []), ...targets]);
  names.delete(datacenter);
  return [...names].flatMap((name) => federation.registryOf(name) ?? []);
}

/** Tokens can be local to a datacenter: one that is not known in another is of no use there. */
function permissionsAt(registry: Registry, { permissionsIn }: Execution): Permissions | undefined {
  try {
    return permissionsIn(registry);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}
