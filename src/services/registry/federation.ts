import type { Federation, Registry } from './call.ts';

/** The round-trip time between two datacenters, in both directions. */
export interface RoundTrip {
  readonly between: readonly [string, string];
  readonly milliseconds: number;
}

/** Default milliseconds between consecutive datacenters. */
const defaultStepMs = 10;

/**
 * Creates a federation; the first datacenter is the primary one. Default round-trip times are those of a line in the
 * given order.
 */
export function createFederation(
  datacenters: readonly [string, ...string[]],
  roundTrips: readonly RoundTrip[],
  registryOf: Federation['registryOf'],
): Federation {
  const configured = new Map(
    roundTrips.flatMap(({ between: [a, b], milliseconds }) => [
      [`${a}:${b}`, milliseconds],
      [`${b}:${a}`, milliseconds],
    ]),
  );
  const distance = (from: string, to: string) =>
    defaultStepMs * Math.abs(datacenters.indexOf(from) - datacenters.indexOf(to));
  return {
    primary: datacenters[0],
    datacenters,
    registryOf,
    roundTrip: (from, to) => (from === to ? 0 : (configured.get(`${from}:${to}`) ?? distance(from, to))),
  };
}

/** The datacenters by round-trip time from one: itself first; ties by name. */
export function nearestFirst({
  datacenter,
  federation,
}: Pick<Registry, 'datacenter' | 'federation'>): string[] {
  const distanceTo = (name: string) => (name === datacenter ? -1 : federation.roundTrip(datacenter, name));
  return [...federation.datacenters].sort().sort((a, b) => distanceTo(a) - distanceTo(b));
}
