import type { Rewrite } from '../config/entry.ts';

/** A lookup target before its entries are resolved. */
export interface Target {
  readonly service: string;
  /** Empty: all instances. */
  readonly subset: string;
  readonly namespace: string;
  /** Empty for a peer. */
  readonly datacenter: string;
  readonly peer?: string;
}

/** The ID of a target: `[subset.]service.namespace.datacenter`, or `service.namespace.external.peer`. */
export function targetId({ service, subset, namespace, datacenter, peer }: Target): string {
  if (peer !== undefined) return `${service}.${namespace}.external.${peer}`;
  return `${subset === '' ? '' : `${subset}.`}${service}.${namespace}.${datacenter}`;
}

/**
 * The target after a redirect or failover. If the service changes, the subset is dropped: each service has its own.
 * Without a peer in the rewrite, the target is in this cluster.
 *
 * @param localDatacenter of targets that come back from a peer
 */
export function applyRewrite(target: Target, rewrite: Rewrite, localDatacenter: string): Target {
  const service = rewrite.Service || target.service;
  const subset = rewrite.ServiceSubset || (service === target.service ? target.subset : '');
  if (rewrite.Peer) {
    // Only an explicit namespace is one of the peer.
    const namespace = rewrite.Namespace || 'default';
    return { service, subset, namespace, datacenter: '', peer: rewrite.Peer };
  }
  const namespace = rewrite.Namespace || target.namespace;
  const datacenter = rewrite.Datacenter || target.datacenter || localDatacenter;
  return { service, subset, namespace, datacenter };
}
