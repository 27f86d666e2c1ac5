import type { ConfigEntry, ServiceResolver } from './entry.ts';

/** The other services that an entry refers to, without services that only a peer has. */
export function referencesOf(entry: ConfigEntry): string[] {
  const references = referencedServices(entry).filter((service) => service && service !== entry.Name);
  return [...new Set(references as string[])];
}

function referencedServices(entry: ConfigEntry): (string | undefined)[] {
  if (entry.Kind === 'service-router')
    return entry.Routes?.map(({ Destination }) => Destination?.Service) ?? [];
  if (entry.Kind === 'service-splitter') return entry.Splits?.map(({ Service }) => Service) ?? [];
  return entry.Kind === 'service-resolver' ? resolvedServices(entry) : [];
}

function resolvedServices({ Redirect, Failover }: ServiceResolver): (string | undefined)[] {
  const failovers = Object.values(Failover ?? {}).flatMap(({ Service, Targets = [] }) => [
    Service,
    ...Targets.map((target) => (target.Peer ? undefined : target.Service)),
  ]);
  return [Redirect?.Service, ...failovers];
}
