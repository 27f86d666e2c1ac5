import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { ordinaryWork } from './ordinary-work.ts';

// Tests do not assert how fast the machine is. What must be cheap is compared with other work that is measured in
// turn with it, in the same process: a slow or busy machine slows both.

type Act = () => unknown;

/** Milliseconds: what costs less costs nothing that could be compared. */
const resolution = 0.1;

/** Rounds until a cost that is too high is believed. */
const maxRounds = 15;

/**
 * Processor time of this process in milliseconds: what else runs on the machine is not in it. That of the thread alone
 * is counted in steps of milliseconds by some kernels.
 */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function costOf(act: Act): Promise<number> {
  const begin = processorTime();
  await act();
  return Math.max(resolution, processorTime() - begin);
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

/** Processor time in milliseconds of the longest turn of the event loop while something goes on. */
async function longestTurn(act: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let done = false;
  let last = processorTime();
  const acting = act().finally(() => {
    done = true;
  });
  while (!done) {
    await nextTurn();
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await acting;
  return longest;
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
  for (let round = 0; round < maxRounds; round++) {
    unit = Math.min(unit, await costOf(baseline));
    longest = Math.min(longest, await longestTurn(act));
    if (longest <= times * unit) return;
  }
  expect(longest / unit, 'longest turn in units of the baseline').toBeLessThanOrEqual(times);
}

/** Milliseconds of the wall clock. */
async function timeOf(act: Act): Promise<number> {
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}

/** How long something that is asked again and again takes while something else goes on, in units of ordinary work. */
async function waitsDuring(ask: Act, meanwhile: Promise<unknown>): Promise<number[]> {
  const asked: number[] = [];
  const worked: number[] = [];
  let over = false;
  const end = () => {
    over = true;
  };
  void meanwhile.then(end, end);
  while (!over || asked.length < 20) {
    asked.push(await timeOf(ask));
    worked.push(await timeOf(ordinaryWork));
  }
  await meanwhile;
  const unit = median(worked);
  return asked.map((time) => time / unit);
}

/**
 * Expects that another process answers quickly while it does something: the longest wait, or the one in the middle,
 * is at most so many times what ordinary work in this process takes meanwhile. It is tried up to six times: what the
 * process itself takes it takes each time; a busy machine does not.
 */
export async function expectShortWaits(
  ask: Act,
  act: () => Promise<unknown>,
  times: number,
  of: (waits: readonly number[]) => number = (waits) => Math.max(...waits),
): Promise<void> {
  await waitsDuring(ask, Promise.resolve());
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && least > times; attempt++) {
    least = Math.min(least, of(await waitsDuring(ask, act())));
  }
  expect(least, 'wait in units of ordinary work').toBeLessThanOrEqual(times);
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
