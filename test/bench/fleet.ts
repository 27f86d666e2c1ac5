import { readFileSync, writeFileSync } from 'node:fs';
import { fixed, hour, simulateHosts, spread, spreadOnly, windowFor } from './fleet/hosts.ts';
import { simulateJobs } from './fleet/jobs.ts';
import { plotRates } from './fleet/plot.ts';
import { measuredRates, type Rates } from './fleet/rates.ts';
import { simulateWatchers } from './fleet/watchers.ts';
import { atMost, type Benchmark, type Finding } from './report.ts';

export interface FleetOptions {
  /** A JSON file with the rates of another machine. */
  readonly rates?: string | undefined;
  readonly seed: number;
  /** Where the plot is written. */
  readonly plot?: string | undefined;
  /** Smaller fleets, for tests. */
  readonly hosts?: readonly number[];
  readonly watchers?: number;
}

const lives = [1, 8, 24];
const outageHours = 1;
/** Of the rate before, after an outage of an hour; and between renewals of certificates issued together. */
const maxAfterReturn = 3;
const maxPeak = 1.5;

/** A fleet of hosts, watchers and CI jobs in virtual time, with the program's own decisions and measured rates. */
export const fleet = (options: FleetOptions): Benchmark => ({
  title:
    'Fleet, simulated: hosts enrolled in the same minute, watchers of one key, CI jobs, with one embedded service',
  async run(say) {
    const rates = readRates(options.rates);
    say(`rates of one service: ${rates.machine}`);
    const { signatures, logins, reads, wokenReads } = rates;
    say(
      `per second: signatures ${signatures}, logins ${logins}, reads ${reads}, responses to watchers ${wokenReads}`,
    );
    const sizes = options.hosts ?? [1000, 10_000, 100_000];
    const findings: Finding[] = [];
    for (const life of lives)
      for (const hosts of sizes) findings.push(...hostsFindings(hosts, life, rates, options));
    findings.push(...(await watchersFindings(options.watchers ?? 10_000, rates, options)));
    findings.push(...jobsFindings(rates, options));
    if (options.plot !== undefined) writeFileSync(options.plot, plot(sizes.at(-1) ?? 0, rates, options));
    return findings;
  },
});

/** @throws Error: the file is not readable, or has something else than positive numbers. */
function readRates(file: string | undefined): Rates {
  if (file === undefined) return measuredRates;
  const given = JSON.parse(readFileSync(file, 'utf8')) as Partial<Rates>;
  const rates = { ...measuredRates, machine: file, ...given };
  for (const [name, value] of Object.entries(rates))
    if (name !== 'machine' && !(typeof value === 'number' && value > 0))
      throw new Error(`${file}: invalid ${name}`);
  return rates;
}

function hostsFindings(
  hosts: number,
  life: number,
  { signatures: rate }: Rates,
  { seed }: FleetOptions,
): Finding[] {
  const window = windowFor(hosts, life * hour);
  const base = { hosts, life: life * hour, rate, seed, window, lives: 5 };
  const name = `${hosts} hosts, certificates of ${life} h`;
  const calm = simulateHosts({ ...base, policy: spread });
  const findings: Finding[] = [
    {
      what: `${name}: renewals`,
      figure: `mean ${perSecond(calm.mean)}, peak ${perSecond(calm.peak)} in ${window / 60} min, longest wait ${ms(calm.longestWait)}`,
      ratio: calm.peak / calm.mean,
      promise: atMost(round(calm.peak / calm.mean), maxPeak),
    },
  ];
  // The middle of the outage is where the rate is highest.
  const begin = (life / 2 + (life > 1 ? 0 : outageHours / 2)) * hour - (outageHours * hour) / 2;
  const outage = { begin, end: begin + outageHours * hour };
  const run = { ...base, lives: 3, outage };
  const away = simulateHosts({ ...run, policy: spread });
  const eager = simulateHosts({ ...run, policy: spreadOnly });
  const ratio = away.peakAfterReturn / calm.mean;
  // With a shorter validity period there is too little left to wait with.
  const isSpread = life >= 6 * outageHours;
  findings.push(
    {
      what: `${name}: after an outage of ${outageHours} h`,
      figure: `peak ${perSecond(away.peakAfterReturn)}, in one second ${away.peakSecondAfterReturn}, all renewed after ${minutes(away.recovery)}; without back-off ${perSecond(eager.peakAfterReturn)}`,
      ratio,
      promise: isSpread
        ? atMost(round(ratio), maxAfterReturn)
        : atMost(away.peakSecondAfterReturn, Math.floor(rate), '/s'),
    },
    {
      what: `${name}: expired before their renewal`,
      figure: `${away.expired}; without back-off ${eager.expired}`,
      promise: atMost(away.expired, eager.expired),
    },
  );
  return findings;
}

async function watchersFindings(watchers: number, rates: Rates, { seed }: FleetOptions): Promise<Finding[]> {
  const base = { watchers, rate: rates.wokenReads, seed };
  const written = await simulateWatchers({ ...base, end: 400, writtenAt: 300 });
  const election = await simulateWatchers({ ...base, end: 420, outage: { begin: 300, end: 305 } });
  const outage = await simulateWatchers({ ...base, end: 1100, outage: { begin: 300, end: 900 } });
  return [
    {
      what: `${watchers} watchers: nothing changes`,
      figure: `${perSecond(written.mean)} reads`,
      promise: atMost(Math.round(written.mean), rates.wokenReads, '/s'),
    },
    {
      what: `${watchers} watchers: the key is written`,
      figure: `peak ${written.peakSecond}/s, all know after ${seconds(written.recovery)}, longest wait ${seconds(written.longestWait)}`,
    },
    {
      what: `${watchers} watchers: no leader for 5 s`,
      figure: `peak ${election.peakSecond}/s, all know after ${seconds(election.recovery)}, longest wait ${seconds(election.longestWait)}`,
    },
    {
      what: `${watchers} watchers: away for 10 min`,
      figure: `meanwhile ${perSecond(outage.whileAway)} attempts; peak ${outage.peakSecond}/s, all know after ${seconds(outage.recovery)}, longest wait ${seconds(outage.longestWait)}`,
      promise: atMost(outage.peakSecond, rates.wokenReads, '/s'),
    },
  ];
}

function jobsFindings(rates: Rates, { seed }: FleetOptions): Finding[] {
  return [60, 600, 6000].map((jobsPerMinute) => {
    const { utilization, p99, slowest } = simulateJobs({ jobsPerMinute, burst: jobsPerMinute, rates, seed });
    return {
      what: `CI, ${jobsPerMinute} jobs per minute, and once as many in one second`,
      figure: `service ${(utilization * 100).toFixed(1)} % busy, login and 3 reads p99 ${ms(p99)}, slowest ${ms(slowest)}`,
    };
  });
}

/** The rate over time with and without the spreading, enrolled in the same minute. */
function plot(hosts: number, { signatures: rate }: Rates, { seed }: FleetOptions): string {
  const life = 24;
  const window = hour / 4;
  const base = { hosts, life: life * hour, rate, seed, window, lives: 3 };
  const [after, before] = [spread, fixed].map((policy) => simulateHosts({ ...base, policy }));
  return plotRates(
    `${hosts} hosts, enrolled in the same minute, certificates of ${life} h: renewals per second`,
    window / hour,
    [
      { label: 'always at two thirds', className: 'fixed', rates: before?.rates ?? [] },
      { label: 'spread', className: 'spread', rates: after?.rates ?? [] },
    ],
    after?.mean ?? 0,
  );
}

const round = (ratio: number): number => Math.round(ratio * 100) / 100;
const perSecond = (rate: number): string => `${rate < 1 ? rate.toFixed(3) : rate.toFixed(1)}/s`;
const ms = (time: number): string => `${(time * 1000).toFixed(0)} ms`;
const seconds = (time: number): string => `${time.toFixed(1)} s`;
const minutes = (time: number): string => `${(time / 60).toFixed(0)} min`;
