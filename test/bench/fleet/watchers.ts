import { LanyardError } from '../../../src/errors.ts';
import { withJitter } from '../../../src/services/registry/blocking-query.ts';
import { type Reading, type Source, watch } from '../../../src/watch/watch.ts';
import {
  highest,
  type Outage,
  QueuedService,
  seededRandom,
  sum,
  VirtualTime,
  Windows,
} from './simulation.ts';

export interface WatchersOptions {
  readonly watchers: number;
  /** Responses per second of the service. */
  readonly rate: number;
  readonly seed: number;
  /** Seconds. */
  readonly end: number;
  /** The service is away: all blocking queries end, and new ones fail. */
  readonly outage?: Outage;
  /** The key that all watch is written at this time. */
  readonly writtenAt?: number;
}

export interface WatchersResult {
  /** Reads per second, on average from the first minute until the outage or the write. */
  readonly mean: number;
  /** In a second after the outage or the write. */
  readonly peakSecond: number;
  /** Reads per second during the outage, after its first minute. */
  readonly whileAway: number;
  /** Seconds from a read to its response, at most, without the time it blocks. */
  readonly longestWait: number;
  /** Seconds from the end of the outage, or the write, until the last watcher had read the state. */
  readonly recovery: number;
}

/** Watchers of one key, as `registry kv get --watch` watches it: the real loop in virtual time. */
export async function simulateWatchers(options: WatchersOptions): Promise<WatchersResult> {
  const { outage, writtenAt, end } = options;
  const random = seededRandom(options.seed);
  const bytes = (length: number) => Uint8Array.from({ length }, () => random() * 256);
  const time = new VirtualTime();
  const service = new QueuedService(outage);
  const reads = new Windows(1, end);
  const stop = new AbortController();
  const interruptions = new Set<() => void>();
  const happens = outage?.end ?? writtenAt;
  let [index, recovered] = [1, 0];

  const sourceOfWatcher = (): Source<number> => {
    let knows = false;
    const respond = (done: (reading: Reading<number>) => void): void => {
      const at = service.serve(time.now, 1 / options.rate);
      time.at(at, () => {
        if (!knows && happens !== undefined && time.now >= happens) {
          knows = true;
          recovered = time.now;
        }
        done({ value: index, index: String(index) });
      });
    };
    const read: Source<number>['read'] = (after) =>
      new Promise((done, fail) => {
        reads.count(time.now);
        const away = () => fail(new LanyardError('unreachable', 'connection refused', { retryable: true }));
        if (service.isAway(time.now)) return time.at(time.now + 0.001, away);
        if (after === undefined || Number(after.index) < index) return respond(done);
        let isOver = false;
        const interrupt = () => {
          isOver = true;
          interruptions.delete(interrupt);
          if (service.isAway(time.now)) away();
          else respond(done);
        };
        interruptions.add(interrupt);
        const waitSeconds = withJitter(bytes, after.waitSeconds * 1000) / 1000;
        time.at(time.now + waitSeconds, () => isOver || interrupt());
      });
    return { read };
  };
  const interruptAll = (): void => {
    for (const interrupt of [...interruptions]) interrupt();
  };
  if (outage) time.at(outage.begin, interruptAll);
  if (writtenAt !== undefined) {
    time.at(writtenAt, () => {
      index += 1;
      interruptAll();
    });
  }
  const parts = {
    clock: () => new Date(time.now * 1000),
    sleep: (milliseconds: number) => time.sleep(milliseconds),
    random,
    signal: stop.signal,
    onRetry: () => {},
  };
  const watcher = async (): Promise<void> => {
    for await (const _event of watch(sourceOfWatcher(), parts));
  };
  // They start within a minute.
  for (let at = 0; at < options.watchers; at++) time.at(random() * 60, () => void watcher());
  await time.passUntil(end);
  stop.abort();

  const quiet = reads.rates(120, outage?.begin ?? writtenAt ?? end);
  const away = outage ? reads.rates(outage.begin + 60, outage.end) : [];
  return {
    mean: sum(quiet) / Math.max(quiet.length, 1),
    peakSecond: highest(reads.rates(Math.floor(happens ?? 120), end)),
    whileAway: sum(away) / Math.max(away.length, 1),
    longestWait: service.longestWait,
    recovery: happens === undefined ? 0 : Math.max(0, recovered - happens),
  };
}
