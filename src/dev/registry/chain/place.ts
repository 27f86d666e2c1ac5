import type { Rewrite } from '../config/entry.ts';

/** Where instances are looked for, before anything about them is looked up. */
export interface Place {
  readonly service: string;
  /** Empty: all instances. */
  readonly subset: string;
  readonly namespace: string;
  /** Empty for a place at a peer. */
  readonly datacenter: string;
  readonly peer?: string;
}

/** The ID of the target that is this place: `[subset.]service.namespace.datacenter`. */
export function placeId({ service, subset, namespace, datacenter, peer }: Place): string {
  const whose = peer === undefined ? datacenter : `external.${peer}`;
  return `${subset === '' ? '' : `${subset}.`}${service}.${namespace}.${whose}`;
}

/** The place after a redirect or failover. Another service has other subsets, so the subset is not kept then. */
export function rewritten(place: Place, by: Rewrite): Place {
  const service = by.Service || place.service;
  const subset = by.ServiceSubset || (service === place.service ? place.subset : '');
  const namespace = by.Namespace || place.namespace;
  if (by.Peer) return { service, subset, namespace, datacenter: '', peer: by.Peer };
  const elsewhere = by.Datacenter ? { datacenter: by.Datacenter } : whereabouts(place);
  return { service, subset, namespace, ...elsewhere };
}

function whereabouts({ datacenter, peer }: Place): Pick<Place, 'datacenter' | 'peer'> {
  return peer === undefined ? { datacenter } : { datacenter, peer };
}
