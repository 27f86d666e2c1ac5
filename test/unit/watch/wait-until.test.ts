import { describe, expect, test } from 'vitest';
import { LanyardError } from '../../../src/errors.ts';
import { type ObservedState, type Verdict, waitUntil } from '../../../src/watch/wait-until.ts';
import type { Source } from '../../../src/watch/watch.ts';
import { FakeTimers } from '../../support/fake-time.ts';

const unreachable = new LanyardError('unreachable', 'connection refused');
const forbidden = new LanyardError('forbidden', 'permission denied', { status: 403 });

type State = string | undefined | LanyardError;

interface Waiting {
  readonly timeoutMs?: number;
  readonly stableMs?: number;
  /** When it is interrupted, in milliseconds. */
  readonly interruptMs?: number;
  readonly isPermanent?: () => boolean;
  readonly check?: (state: ObservedState<string>) => Promise<Verdict>;
}

const isReady = async ({ data }: ObservedState<string>): Promise<Verdict> =>
  data === 'ready' ? { isMet: true } : { isMet: false, reason: data === undefined ? 'absent' : 'not ready' };

/** Waits for an object, read every second, that has these states at these seconds. */
async function waited(
  states: readonly (readonly [second: number, state: State])[],
  { timeoutMs = 60_000, stableMs = 0, interruptMs, check = isReady, ...rest }: Waiting = {},
) {
  const time = new FakeTimers();
  const start = time.nowMs;
  const end = new AbortController();
  const interruption = new AbortController();
  const notices: string[] = [];
  let reads = 0;
  const source: Source<string> = {
    intervalMs: 1000,
    read: async () => {
      reads += 1;
      const seconds = (time.nowMs - start) / 1000;
      const state = states.findLast(([second]) => second <= seconds)?.[1];
      if (state instanceof LanyardError) throw state;
      return { value: state };
    },
  };
  if (interruptMs !== undefined) void time.sleep(interruptMs).then(() => interruption.abort());
  const result = await time.run(
    waitUntil(source, check, {
      clock: time.clock,
      sleep: time.sleep,
      random: () => 0,
      signal: interruption.signal,
      onRetry: (error) => notices.push(error.message),
      end,
      timeoutMs,
      stableMs,
      ...rest,
    }),
  );
  return { ...result, reads, notices, isEnded: end.signal.aborted };
}

describe('a condition', () => {
  test('that is met at the first read needs no second', async () => {
    expect(await waited([[0, 'ready']])).toMatchObject({
      isMet: true,
      elapsedMs: 0,
      reads: 1,
      isEnded: true,
      event: { status: 'present', data: 'ready' },
    });
  });

  test('is awaited while the object is absent or different', async () => {
    const result = await waited([
      [0, undefined],
      [2, 'starting'],
      [5, 'ready'],
    ]);
    expect(result).toMatchObject({ isMet: true, elapsedMs: 5000, reads: 6 });
  });

  test('that is not met in time', async () => {
    expect(await waited([[0, undefined]], { timeoutMs: 10_500 })).toMatchObject({
      isMet: false,
      reason: 'absent',
      elapsedMs: 10_500,
      last: { status: 'absent' },
      isEnded: true,
    });
    expect(await waited([[0, 'starting']], { timeoutMs: 1000 })).toMatchObject({
      isMet: false,
      reason: 'not ready',
    });
  });

  test('without a state in time', async () => {
    const result = await waited([[0, unreachable]], { timeoutMs: 5000 });
    expect(result).toMatchObject({
      isMet: false,
      reason: 'connection refused',
      last: undefined,
      notices: ['connection refused'],
    });
  });

  test.each([
    ['ready', true],
    ['starting', false],
    [undefined, false],
    [unreachable, false],
  ] as const)('with a timeout of 0, the first read decides: %s', async (state, isMet) => {
    expect(await waited([[0, state]], { timeoutMs: 0 })).toMatchObject({ isMet, reads: 1 });
  });

  test('sees that the object has changed', async () => {
    const check = async ({ isChanged, data }: ObservedState<string>): Promise<Verdict> =>
      isChanged && data !== undefined ? { isMet: true } : { isMet: false, reason: 'unchanged' };
    expect(await waited([[0, 'a']], { check, timeoutMs: 9000 })).toMatchObject({ isMet: false });
    const result = await waited(
      [
        [0, 'a'],
        [2, unreachable],
        [3, 'a'],
        [6, undefined],
        [8, 'a'],
      ],
      { check },
    );
    // The delay after an error is not that between reads.
    expect(result).toMatchObject({ isMet: true, event: { data: 'a' } });
    expect(result.elapsedMs).toBeGreaterThanOrEqual(8000);
  });
});

describe('a stable condition', () => {
  test('must be met without interruption', async () => {
    const result = await waited(
      [
        [0, 'starting'],
        [2, 'ready'],
        [4, 'starting'],
        [6, 'ready'],
      ],
      { stableMs: 4500 },
    );
    expect(result).toMatchObject({ isMet: true, elapsedMs: 10_500 });
  });

  test('is not met while the state is not known', async () => {
    const result = await waited(
      [
        [0, 'ready'],
        [2, unreachable],
        [3, 'ready'],
      ],
      { stableMs: 5000 },
    );
    expect(result.isMet).toBe(true);
    expect(result.elapsedMs).toBeGreaterThanOrEqual(8000);
  });

  test('that is met too late', async () => {
    expect(await waited([[57, 'ready']], { stableMs: 5000 })).toMatchObject({
      isMet: false,
      reason: 'not met for long enough',
      elapsedMs: 60_000,
    });
  });
});

describe('what ends a wait', () => {
  test('denied access, after one retry', async () => {
    await expect(waited([[0, forbidden]])).rejects.toBe(forbidden);
    expect(
      await waited([
        [0, forbidden],
        [0.2, 'ready'],
      ]),
    ).toMatchObject({ isMet: true, reads: 2 });
  });

  test('an error that the caller does not wait for', async () => {
    await expect(waited([[0, unreachable]], { isPermanent: () => true })).rejects.toBe(unreachable);
  });

  test('an error of the check', async () => {
    const check = async (): Promise<never> => {
      throw new LanyardError('failure', 'failed');
    };
    await expect(waited([[0, 'a']], { check })).rejects.toThrow('failed');
  });

  test('an interruption', async () => {
    await expect(waited([[0, 'a']], { interruptMs: 2500 })).rejects.toMatchObject({ kind: 'interrupted' });
  });
});

describe('a wait ends', () => {
  /** Waits with a source and a signal of its own, and what the wait slept. */
  function waiting(read: Source<string>['read'], timeoutMs: number, check = isReady) {
    const time = new FakeTimers();
    const interruption = new AbortController();
    const slept: { readonly ms: number; readonly signal: AbortSignal | undefined }[] = [];
    const run = (): ReturnType<typeof waitUntil<string>> =>
      time.run(
        waitUntil({ intervalMs: 1000, read }, check, {
          clock: time.clock,
          sleep: (ms, signal) => {
            slept.push({ ms, signal });
            return time.sleep(ms, signal);
          },
          random: () => 0,
          signal: interruption.signal,
          onRetry: () => undefined,
          end: new AbortController(),
          timeoutMs,
          stableMs: 0,
        }),
      );
    return { time, interruption, slept, run };
  }
  const never = (): Promise<never> => new Promise(() => undefined);

  test('at once, if it was interrupted before', async () => {
    const { interruption, run } = waiting(async () => ({ value: 'ready' }), 60_000);
    interruption.abort();
    await expect(run()).rejects.toMatchObject({ kind: 'interrupted', message: 'interrupted' });
  });

  test('at its deadline, if there is no response', async () => {
    const { run } = waiting(never, 5000);
    expect(await run()).toEqual({ isMet: false, reason: 'no response', last: undefined, elapsedMs: 5000 });
  });

  test('with no timer left', async () => {
    const { run, slept } = waiting(async () => ({ value: 'ready' }), 60_000);
    await run();
    expect(slept.length).toBeGreaterThan(0);
    expect(slept.every(({ signal }) => signal?.aborted)).toBe(true);
  });

  test('later than a timer can wait: the timer has its maximum', async () => {
    const { run, slept } = waiting(never, 2 ** 31 + 5);
    await run();
    expect(slept[0]?.ms).toBe(2 ** 31 - 1);
  });

  test('with the error of a read that failed during a check', async () => {
    const unhandled: unknown[] = [];
    const add = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', add);
    const states = [async () => ({ value: 'a' }), () => Promise.reject(new TypeError('a defect'))];
    const { time, run } = waiting(
      async () => (await states.shift()?.()) ?? { value: 'a' },
      60_000,
      async (state) => {
        await time.sleep(5000);
        return isReady(state);
      },
    );
    await expect(run()).rejects.toThrow('a defect');
    process.off('unhandledRejection', add);
    expect(unhandled).toEqual([]);
  });
});
