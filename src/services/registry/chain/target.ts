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

/** The ID of a target: `[subset.]service.namespace.datacenter`. */
export function targetId({ service, subset, namespace, datacenter, peer }: Target): string {
  const owner = peer === undefined ? datacenter : `external.${peer}`;
  return `${subset === '' ? '' : `${subset}.`}${service}.${namespace}.${owner}`;
}

/**
 * The target after a redirect or failover. If the service changes, the subset is dropped: each service has its own.
 */
export function applyRewrite(target: Target, rewrite: Rewrite): Target {
  const service = rewrite.Service || target.service;
  const subset = rewrite.ServiceSubset || (service === target.service ? target.subset : '');
  const namespace = rewrite.Namespace || target.namespace;
  if (rewrite.Peer) return { service, subset, namespace, datacenter: '', peer: rewrite.Peer };
  const location = rewrite.Datacenter ? { datacenter: rewrite.Datacenter } : locationOf(target);
  return { service, subset, namespace, ...location };
}

function locationOf({ datacenter, peer }: Target): Pick<Target, 'datacenter' | 'peer'> {
  return peer === undefined ? { datacenter } : { datacenter, peer };
}
