import type { Registry } from '../call.ts';
import type { Failover } from '../model/queries.ts';

type FailoverTarget = { readonly registry: Registry } | { readonly peer: string };

/** The existing datacenters of a failover, the nearest ones, then the named ones, each once; and its peers. */
export function failoverTargets({ federation, datacenter }: Registry, failover: Failover): FailoverTarget[] {
  const { NearestN, Datacenters, Targets } = failover;
  const nearest = federation.datacenters
    .filter((name) => name !== datacenter)
    .sort((a, b) => federation.roundTrip(datacenter, a) - federation.roundTrip(datacenter, b));
  const tried = new Set([datacenter]);
  const inDatacenter = (name: string): FailoverTarget[] => {
    const registry = tried.has(name) ? undefined : federation.registryOf(name);
    tried.add(name);
    return registry ? [{ registry }] : [];
  };
  return [
    ...[...nearest.slice(0, NearestN), ...(Datacenters ?? [])].flatMap(inDatacenter),
    ...(Targets ?? []).flatMap(({ Peer, Datacenter }) =>
      Datacenter === '' ? (Peer === '' ? [] : [{ peer: Peer }]) : inDatacenter(Datacenter),
    ),
  ];
}
