import { flag } from '../../command.ts';
import { usage } from '../../errors.ts';
import { parseDuration } from '../../wire/duration.ts';
import type { StartOptions } from './start.ts';

/** The flags that say which datacenters the embedded service registry has. */
export const datacenterFlags = {
  datacenters: flag.list('NAME,...', 'datacenters of the registry, the primary one first; default dc1'),
  roundTrip: flag.list(
    'A:B=DURATION',
    'time from one datacenter to another and back; default 10ms a step in the order named',
  ),
};

interface Given {
  readonly datacenters: readonly string[] | undefined;
  readonly roundTrip: readonly string[] | undefined;
}

/** @throws LanyardError usage: a name that cannot be, or is there twice; a round trip to nowhere, or without time */
export function readDatacenters(flags: Given): Pick<StartOptions, 'datacenters' | 'roundTrips'> {
  const [first = 'dc1', ...others] = flags.datacenters ?? [];
  const datacenters = [first, ...others] as const;
  for (const [at, name] of datacenters.entries()) {
    if (!/^[a-z0-9_-]{1,63}$/.test(name)) {
      throw usage(`--datacenters: a name is lower-case letters, digits, - and _, not "${name}"`);
    }
    if (datacenters.indexOf(name) !== at) throw usage(`--datacenters: "${name}" is named twice`);
  }
  const roundTrips = (flags.roundTrip ?? []).map((text) => readRoundTrip(text, datacenters));
  for (const [at, { between }] of roundTrips.entries()) {
    const same = roundTrips.findIndex((other) => between.every((name) => other.between.includes(name)));
    if (same !== at) throw usage(`--round-trip: the one between ${between.join(' and ')} is given twice`);
  }
  return { datacenters, roundTrips };
}

function readRoundTrip(text: string, datacenters: readonly string[]) {
  const [, from = '', to = '', time = ''] = /^([^:=]+):([^:=]+)=(.+)$/.exec(text) ?? [];
  const seconds = /[a-zµ]$/.test(time) ? parseDuration(time) : undefined;
  if (seconds === undefined || seconds < 0) {
    throw usage(`--round-trip takes A:B=DURATION, such as dc1:dc2=30ms, not "${text}"`);
  }
  const unknown = [from, to].find((name) => !datacenters.includes(name));
  if (unknown !== undefined) {
    throw usage(
      `--round-trip ${text}: there is no datacenter "${unknown}"; --datacenters says ${datacenters.join(',')}`,
    );
  }
  if (from === to) throw usage(`--round-trip ${text}: there is none from a datacenter to itself`);
  return { between: [from, to] as const, milliseconds: seconds * 1000 };
}
