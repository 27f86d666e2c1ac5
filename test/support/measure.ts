import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';

// Tests do not assert how fast the machine is. What must be cheap is compared with other work that is measured in
// turn with it, in the same process: a slow or busy machine slows both.

type Act = () => unknown;

/** Milliseconds: what costs less costs nothing that could be compared. */
const resolution = 0.1;

/** Rounds until a cost that is too high is believed. */
const maxRounds = 15;

/** Processor time of this process in milliseconds, with all its threads: what else runs on the machine is not in it. */
export function processorTime(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function costOf(act: Act): Promise<number> {
  const begin = process.cpuUsage();
  await act();
  return Math.max(resolution, processorTime(begin));
}

const sample = Array.from({ length: 1_000 }, (_, at) => {
  return { name: `name-${(at * 7919) % 1000}`, at, tags: ['a', 'b'], more: { third: at / 3 } };
});

/** A fixed amount of ordinary work, about 10 ms of a processor of 2025. The unit of costs that have no better one. */
export function ordinaryWork(): void {
  for (let round = 0; round < 15; round++) {
    const copy = JSON.parse(JSON.stringify(sample)) as typeof sample;
    copy.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/**
 * Expects that something costs at most so many times the processor time of a baseline. Both are run in turn, and the
 * least costs count: what disturbs a run only adds to it.
 */
export async function expectCost(act: Act, times: number, baseline: Act = ordinaryWork): Promise<void> {
  let cost = Number.POSITIVE_INFINITY;
  let unit = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds; round++) {
    unit = Math.min(unit, await costOf(baseline));
    cost = Math.min(cost, await costOf(act));
    if (round > 0 && cost <= times * unit) return;
  }
  expect(cost / unit, 'cost in units of the baseline').toBeLessThanOrEqual(times);
}

/**
 * Like `expectCost`, for many small runs: the baseline is measured again only where a run seems to cost too much.
 */
export async function costLimit(times: number, baseline: Act): Promise<(act: Act) => Promise<void>> {
  let unit = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) unit = Math.min(unit, await costOf(baseline));
  return async (act) => {
    if ((await costOf(act)) > times * unit) await expectCost(act, times, baseline);
  };
}

/**
 * Expects that the cost of something grows about as its size does: 16 times the size costs at most 64 times as much.
 * Quadratic growth costs 256 times as much.
 */
export function expectLinear(run: (size: number) => unknown, size: number): Promise<void> {
  return expectCost(
    () => run(size),
    64,
    () => run(size / 16),
  );
}

/** How the event loop was shared while something went on. */
export interface Turns {
  /** Turns that others got. */
  readonly count: number;
  /** Processor time of the longest wait for a turn, and of all, in milliseconds. */
  readonly longest: number;
  readonly total: number;
}

/** Asks for a turn again and again while something goes on. */
export async function turnsDuring(act: () => Promise<unknown>): Promise<Turns> {
  let count = 0;
  let longest = 0;
  let done = false;
  const begin = process.cpuUsage();
  const acting = act().finally(() => {
    done = true;
  });
  for (; !done; count++) {
    const before = process.cpuUsage();
    await nextTurn();
    longest = Math.max(longest, processorTime(before));
  }
  await acting;
  return { count, longest, total: processorTime(begin) };
}

/**
 * Expects that something never keeps others waiting for more than so many times the processor time of a baseline.
 * Garbage collection and the like disturb some rounds; what the work itself takes, it takes in each.
 */
export async function expectShortTurns(
  act: () => Promise<unknown>,
  times: number,
  baseline: Act = ordinaryWork,
): Promise<void> {
  let longest = Number.POSITIVE_INFINITY;
  let unit = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 15; round++) {
    unit = Math.min(unit, await costOf(baseline));
    longest = Math.min(longest, (await turnsDuring(act)).longest);
    if (longest <= times * unit) return;
  }
  expect(longest / unit, 'longest turn in units of the baseline').toBeLessThanOrEqual(times);
}
