import type { Registry } from './call.ts';

/** The datacenters that know each other. */
export interface Federation {
  /** The one that the others follow in tokens and config entries. */
  readonly primary: string;
  /** All of them, in the order in which they were named. */
  readonly datacenters: readonly string[];
  /** Undefined: there is no such datacenter. */
  registryOf(datacenter: string): Registry | undefined;
  /** Estimated milliseconds to another datacenter and back; 0 to itself. */
  roundTrip(from: string, to: string): number;
}

/** How long it takes from one datacenter to another and back; the same in both directions. */
export interface RoundTrip {
  readonly between: readonly [string, string];
  readonly milliseconds: number;
}

/** Milliseconds between datacenters that were named one after the other, where nothing else is said. */
const defaultStepMs = 10;

/**
 * Datacenters that know each other; the first is the primary one. Where no round trip is given, they lie on a line
 * in the order in which they were named.
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

/** The datacenters by round trip from one: itself first; those as far from it in the order of their names. */
export function nearestFirst({
  datacenter,
  federation,
}: Pick<Registry, 'datacenter' | 'federation'>): string[] {
  const distanceTo = (name: string) => (name === datacenter ? -1 : federation.roundTrip(datacenter, name));
  return [...federation.datacenters].sort().sort((a, b) => distanceTo(a) - distanceTo(b));
}
