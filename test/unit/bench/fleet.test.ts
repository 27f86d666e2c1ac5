import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixed, hour, simulateHosts, spread, spreadOnly, windowFor } from '../../bench/fleet/hosts.ts';
import { simulateJobs } from '../../bench/fleet/jobs.ts';
import {
  EventQueue,
  exponential,
  QueuedService,
  seededRandom,
  VirtualTime,
} from '../../bench/fleet/simulation.ts';
import { simulateWatchers } from '../../bench/fleet/watchers.ts';
import { fleet } from '../../bench/fleet.ts';
import { isBroken } from '../../bench/report.ts';

// The simulation of `npm run bench -- --fleet`, with small fleets: the seed determines every figure.

const rate = 1000;
const base = { hosts: 4000, life: 8 * hour, rate, seed: 1, lives: 4, window: windowFor(4000, 8 * hour) };
const calm = simulateHosts({ ...base, policy: spread });
/** Where the rate is highest, half a validity period after the enrolment. */
const outage = { begin: 3.5 * hour, end: 4.5 * hour };

describe('hosts that were enrolled in the same minute', () => {
  test('renew at a rate of at most 1.5 times the mean', () => {
    expect(calm.peak / calm.mean).toBeLessThanOrEqual(1.5);
    expect(calm).toMatchObject({ failed: 0, expired: 0 });
  });

  test('renewed together at two thirds of the validity period', () => {
    const together = simulateHosts({ ...base, policy: fixed });
    expect(together.peak / together.mean).toBeGreaterThan(5);
  });

  test('return after an outage of an hour at a rate of at most 3 times the mean, and none expires', () => {
    const window = hour / 4;
    const run = { ...base, window, lives: 2, outage };
    const [away, eager] = [spread, spreadOnly].map((policy) => simulateHosts({ ...run, policy }));
    expect((away?.peakAfterReturn ?? 0) / calm.mean).toBeLessThanOrEqual(3);
    expect(eager?.peakAfterReturn).toBeGreaterThan(away?.peakAfterReturn ?? 0);
    expect(away?.expired).toBe(0);
    expect(away?.recovery).toBeLessThan(8 * (hour / 3));
    // Fewer attempts meanwhile, too.
    expect(away?.failed).toBeLessThan((eager?.failed ?? 0) / 1.5);
  });

  test('expire in an outage as long as their certificates, with or without the delays', () => {
    const short = { ...base, hosts: 500, life: hour, lives: 3, outage: { begin: hour / 2, end: 1.5 * hour } };
    const [away, eager] = [spread, spreadOnly].map((policy) => simulateHosts({ ...short, policy }));
    expect([away?.expired, eager?.expired]).toEqual([500, 500]);
  });

  test('have the same course with the same seed only', () => {
    const course = (seed: number) =>
      simulateHosts({ ...base, hosts: 200, seed, lives: 2, policy: spread }).rates;
    expect(course(7)).toEqual(course(7));
    expect(course(7)).not.toEqual(course(8));
  });
});

describe('watchers', () => {
  const watchers = { watchers: 100, rate: 50, seed: 1 };

  test('all learn of a write, as fast as the service responds', async () => {
    const { mean, recovery, longestWait } = await simulateWatchers({ ...watchers, end: 260, writtenAt: 200 });
    // Each waits 60 seconds, and up to a sixteenth more.
    expect(mean).toBeGreaterThan(100 / 65);
    expect(mean).toBeLessThan(100 / 60);
    expect(recovery).toBeGreaterThan(1.9);
    expect(recovery).toBeLessThan(2.5);
    expect(longestWait).toBeLessThan(2.5);
  });

  test('return within half a minute after an outage, and ask rarely meanwhile', async () => {
    const { whileAway, recovery } = await simulateWatchers({
      ...watchers,
      end: 700,
      outage: { begin: 200, end: 500 },
    });
    expect(whileAway).toBeLessThan(100 / 15);
    expect(recovery).toBeLessThan(31);
  });
});

test('CI jobs wait for a burst, as long as the service works on it', () => {
  const { utilization, p99, slowest } = simulateJobs({
    jobsPerMinute: 60,
    burst: 300,
    rates: { logins: 100, reads: 1000 },
    seed: 1,
  });
  expect(utilization).toBeGreaterThan(0.013);
  expect(utilization).toBeLessThan(0.02);
  expect(slowest).toBeGreaterThan(2);
  expect(slowest).toBeLessThan(5);
  expect(p99).toBeLessThanOrEqual(slowest);
});

test('events are in the order of time', () => {
  const random = seededRandom(3);
  const queue = new EventQueue<number>();
  for (let event = 0; event < 1000; event++) queue.add(random(), event);
  const times: number[] = [];
  for (let next = queue.next(); next; next = queue.next()) times.push(next.time);
  expect(times).toHaveLength(1000);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(queue.firstTime).toBe(Number.POSITIVE_INFINITY);
});

test('a queue makes later requests wait', () => {
  const service = new QueuedService({ begin: 10, end: 20 });
  expect([service.serve(0, 2), service.serve(1, 2), service.serve(8, 1)]).toEqual([2, 4, 9]);
  expect([service.longestWait, service.busy]).toEqual([3, 5]);
  expect([9, 10, 19, 20].map((time) => service.isAway(time))).toEqual([false, true, true, false]);
  const random = seededRandom(1);
  const gaps = Array.from({ length: 5000 }, () => exponential(random, 10));
  expect(Math.abs(gaps.reduce((all, gap) => all + gap, 0) / 5000 - 10)).toBeLessThan(1);
});

test('virtual time passes in order, also for what is added meanwhile', async () => {
  const time = new VirtualTime();
  const seen: string[] = [];
  const act = async (name: string, pauses: readonly number[]) => {
    for (const pause of pauses) {
      await time.sleep(pause);
      seen.push(`${name} ${time.now}`);
    }
  };
  void act('a', [1000, 3000]);
  void act('b', [2000, 1000, 5000]);
  await time.passUntil(6);
  expect(seen).toEqual(['a 1', 'b 2', 'b 3', 'a 4']);
  expect(time.now).toBe(6);
});

test('the benchmark keeps its promises, reads rates and draws the plot', async () => {
  const [rates, plot] = ['rates.json', 'plot.svg'].map((name) =>
    join(tmpdir(), `lanyard-${process.pid}-${name}`),
  );
  writeFileSync(rates ?? '', JSON.stringify({ machine: 'a test', signatures: 500 }));
  try {
    const said: string[] = [];
    const options = { rates, plot, seed: 1, hosts: [300], watchers: 50 };
    const findings = await fleet(options).run((line) => said.push(line));
    expect(findings.filter(isBroken)).toEqual([]);
    expect(findings).toHaveLength(3 * 3 + 4 + 3);
    expect(said).toContain('rates of one service: a test');
    const svg = readFileSync(plot ?? '', 'utf8');
    expect(svg).toMatch(/^<svg .*prefers-color-scheme: dark.*<\/svg>\n$/s);
    expect(svg).not.toContain('NaN');
    writeFileSync(rates ?? '', JSON.stringify({ signatures: 0 }));
    await expect(fleet(options).run(() => {})).rejects.toThrow('invalid signatures');
  } finally {
    for (const file of [rates, plot]) rmSync(file ?? '', { force: true });
  }
});
