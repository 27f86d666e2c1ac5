import { flag, type Values } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { parseDuration } from '../../../wire/duration.ts';
import type { StartOptions } from './start-dev.ts';

export const datacenterFlags = {
  datacenters: flag.list('NAME,...', 'registry: datacenters, the primary first (default dc1)'),
  roundTrip: flag.list(
    'A:B=DURATION',
    'registry: round-trip time between two datacenters (default 10ms per step in the given order)',
  ),
};

/** @throws LanyardError usage: an invalid or duplicate name; a round trip with an unknown datacenter or no duration. */
export function readDatacenters(
  flags: Values<typeof datacenterFlags>,
): Pick<StartOptions, 'datacenters' | 'roundTrips'> {
  const [first = 'dc1', ...others] = flags.datacenters ?? [];
  const datacenters = [first, ...others] as const;
  for (const [at, name] of datacenters.entries()) {
    if (!/^[a-z0-9_-]{1,63}$/.test(name))
      throw usage(`invalid datacenter name "${name}": expected lowercase letters, digits, - and _`);
    if (datacenters.indexOf(name) !== at) throw usage(`invalid --datacenters: duplicate name "${name}"`);
  }
  const roundTrips = (flags.roundTrip ?? []).map((text) => readRoundTrip(text, datacenters));
  for (const [at, { between }] of roundTrips.entries()) {
    const same = roundTrips.findIndex((other) => between.every((name) => other.between.includes(name)));
    if (same !== at) throw usage(`invalid --round-trip: duplicate entry for ${between.join(' and ')}`);
  }
  return { datacenters, roundTrips };
}

function readRoundTrip(text: string, datacenters: readonly string[]) {
  const [, from = '', to = '', time = ''] = /^([^:=]+):([^:=]+)=(.+)$/.exec(text) ?? [];
  const seconds = /[a-zµ]$/.test(time) ? parseDuration(time) : undefined;
  if (seconds === undefined || seconds < 0)
    throw usage(`invalid --round-trip "${text}": expected A:B=DURATION, such as dc1:dc2=30ms`);
  const unknown = [from, to].find((name) => !datacenters.includes(name));
  if (unknown !== undefined) {
    throw usage(
      `invalid --round-trip "${text}": unknown datacenter "${unknown}", expected one of ${datacenters.join(', ')}`,
    );
  }
  if (from === to) throw usage(`invalid --round-trip "${text}": expected two different datacenters`);
  return { between: [from, to] as const, milliseconds: seconds * 1000 };
}
