import { HttpRefusal } from '../../http/service.ts';
import type { Authority } from '../acl/authority.ts';
import type { Registry } from '../http/call.ts';
import { visible } from '../http/demand.ts';
import { agentNode } from '../place.ts';
import type { Failover, Query } from '../state/queries.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { ordered } from './order.ts';
import { wantedBy } from './select.ts';

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
  /** What may be seen in a datacenter. @throws HttpRefusal 403: the token is not known there */
  readonly authorityIn: (registry: Registry) => Authority;
}

/** What an execution found, and where. */
export interface Executed {
  readonly nodes: readonly Candidate[];
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
export async function execute(registry: Registry, query: Query, execution: Execution): Promise<Executed> {
  const { datacenter } = registry;
  const own = await healthyIn(registry, query, execution, execution.authorityIn(registry));
  let { filtered } = own;
  if (own.items.length > 0) {
    const nodes = ordered(own.items, nearTo(own.items, query, execution), execution.limit, registry.random);
    return { nodes, datacenter, failovers: 0, filtered };
  }
  let failovers = 0;
  for (const other of elsewhere(registry, query.Service.Failover)) {
    failovers++;
    const authority = authorityAt(other, execution);
    if (!authority) continue;
    const found = await healthyIn(other, query, execution, authority);
    filtered ||= found.filtered;
    if (found.items.length === 0) continue;
    // Another datacenter's nodes are all equally far: none of them is near.
    const nodes = ordered(found.items, () => false, execution.limit, registry.random);
    return { nodes, datacenter: other.datacenter, failovers, filtered };
  }
  return { nodes: [], datacenter, failovers, filtered };
}

async function healthyIn(
  { state }: Registry,
  { Service }: Query,
  { connect }: Execution,
  authority: Authority,
): Promise<{ readonly items: readonly Candidate[]; readonly filtered: boolean }> {
  const all = await candidatesOf(state, Service.Service, connect || Service.Connect);
  return visible(
    all.filter(wantedBy(Service)),
    (each) =>
      authority.may('service:read', each.Service.Service) && authority.may('node:read', each.Node.Node),
  );
}

/**
 * Embedded nodes have no network coordinates: the node that is meant is near, and all others are equally far. What
 * the request says goes before what the query says.
 */
function nearTo(
  items: readonly Candidate[],
  { Service }: Query,
  { near, address }: Execution,
): (candidate: Candidate) => boolean {
  const wanted = near || Service.Near;
  if (wanted === '') return () => false;
  const name =
    wanted === '_agent'
      ? agentNode
      : wanted === '_ip'
        ? items.find(({ Node }) => Node.Address === address)?.Node.Node
        : wanted;
  return ({ Node }) => Node.Node === name;
}

/** The datacenters of a failover that there are: the nearest first, then those that are named; each once. */
function elsewhere({ federation, datacenter }: Registry, failover: Failover): Registry[] {
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
function authorityAt(registry: Registry, { authorityIn }: Execution): Authority | undefined {
  try {
    return authorityIn(registry);
  } catch (error) {
    if (error instanceof HttpRefusal) return undefined;
    throw error;
  }
}
