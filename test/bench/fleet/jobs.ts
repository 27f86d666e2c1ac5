import type { Rates } from './rates.ts';
import { EventQueue, exponential, QueuedService, seededRandom } from './simulation.ts';

export interface JobsOptions {
  readonly jobsPerMinute: number;
  /** Jobs that start in the same second, once: pipelines with a schedule. */
  readonly burst: number;
  readonly rates: Pick<Rates, 'logins' | 'reads'>;
  readonly seed: number;
}

export interface JobsResult {
  /** The share of the time in which the service works. */
  readonly utilization: number;
  /** Seconds from the start of a job until it has all values: the slowest of 99 %, and the slowest. */
  readonly p99: number;
  readonly slowest: number;
}

const minutes = 30;
const reads = 3;
/** Seconds between a response and the next request of a job. */
const gap = 0.005;

/** A CI fleet: each job logs in with a JWT, then reads three secrets, one after the other. */
export function simulateJobs({ jobsPerMinute, burst, rates, seed }: JobsOptions): JobsResult {
  const random = seededRandom(seed);
  const end = minutes * 60;
  const service = new QueuedService();
  const queue = new EventQueue<{ readonly started: number; readonly step: number }>();
  for (let at = 0; at < end; at += exponential(random, 60 / jobsPerMinute))
    queue.add(at, { started: at, step: 0 });
  for (let job = 0; job < burst; job++) {
    const at = end / 2 + random();
    queue.add(at, { started: at, step: 0 });
  }
  const durations: number[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    const { started, step } = next.event;
    const done = service.serve(next.time, 1 / (step === 0 ? rates.logins : rates.reads));
    if (step < reads) queue.add(done + gap, { started, step: step + 1 });
    else durations.push(done - started);
  }
  const sorted = durations.sort((one, other) => one - other);
  return {
    utilization: service.busy / end,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    slowest: sorted.at(-1) ?? 0,
  };
}
