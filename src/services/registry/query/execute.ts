import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices } from '../../core/in-slices.ts';
import type { Permissions } from '../acl/permissions.ts';
import { agentNode } from '../agent-node.ts';
import type { Registry } from '../call.ts';
import { isSameName } from '../fold-name.ts';
import type { Query } from '../model/queries.ts';
import { canReadInstance, filterVisible } from '../require-permission.ts';
import { type CheckedInstance, checkedInstances } from './checked-instances.ts';
import { failoverTargets } from './failover.ts';
import { randomOrder } from './order.ts';
import { instanceFilter } from './select.ts';

export interface Execution {
  /** A node, `_agent`, `_ip`; empty: none. */
  readonly near: string;
  readonly address: string;
  /** 0: all. */
  readonly limit: number;
  /** Only mesh-capable instances. */
  readonly connect: boolean;
  /** The caller's permissions in a datacenter. @throws HttpError 403: the token is unknown there */
  readonly permissionsIn: (registry: Registry) => Permissions;
}

/**
 * Executes a rendered query: in its own datacenter and, without healthy instances, in those of its failover in turn,
 * until one has some (docs/protocol/queries-and-chain.md#prepared-query).
 *
 * @returns the instances and their datacenter, or the last one or peer that was tried; `failovers`: the number of other datacenters that were tried;
 * `filtered`: whether something was omitted that the caller may not see
 */
export async function execute(registry: Registry, query: Query, execution: Execution) {
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
    return { nodes, datacenter, peer: '', failovers: 0, filtered };
  }
  let failovers = 0;
  let last = { datacenter, peer: '' };
  for (const target of failoverTargets(registry, query.Service.Failover)) {
    failovers++;
    // An embedded registry has no peers: they never have instances.
    if ('peer' in target) {
      last = { datacenter: '', peer: target.peer };
      continue;
    }
    const other = target.registry;
    const permissions = permissionsAt(other, execution);
    if (!permissions) continue;
    last = { datacenter: other.datacenter, peer: '' };
    const result = await healthyInstances(other, query, execution, permissions);
    filtered ||= result.filtered;
    if (result.items.length === 0) continue;
    // The nodes of another datacenter are all equally far.
    const nodes = randomOrder(result.items, () => false, execution.limit, registry.random);
    return { nodes, ...last, failovers, filtered };
  }
  return { nodes: [], ...last, failovers, filtered };
}

async function healthyInstances(
  { state }: Registry,
  { Service }: Query,
  { connect }: Execution,
  permissions: Permissions,
): Promise<{ readonly items: readonly CheckedInstance[]; readonly filtered: boolean }> {
  const all = await checkedInstances(state, Service.Service, connect || Service.Connect);
  return filterVisible(await filterInSlices(all, instanceFilter(Service)), (each) =>
    canReadInstance(permissions, each.Service.Service, each.Node.Node),
  );
}

/**
 * Embedded nodes have no network coordinates: only the named node is near. The request takes precedence over the
 * query.
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
  return ({ Node }) => name !== undefined && isSameName(Node.Node, name);
}

/** A local token of one datacenter has no permissions in another. */
function permissionsAt(registry: Registry, { permissionsIn }: Execution): Permissions | undefined {
  try {
    return permissionsIn(registry);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}
