import { expect, test } from 'vitest';
import { runWithLock } from '../../../src/cli/children/held-lock.ts';
import type { LockedRun, ServiceLock } from '../../../src/command/system.ts';
import { LanyardError } from '../../../src/errors.ts';

// Real child processes under locks with a short time to live. Nothing here depends on how long a step takes.

interface Calls {
  readonly renewals: number;
  readonly released: boolean;
}

/** A lock whose renewals do what the test says. */
function lockOf(
  renew: (count: number) => Promise<boolean>,
  more: Partial<ServiceLock> = {},
): ServiceLock & { calls(): Calls } {
  let renewals = 0;
  let released = false;
  return {
    name: 'key "x"',
    ttlMs: 400,
    acquire: async () => true,
    untilFree: async () => {},
    hold: () => ({ renew: () => renew(++renewals) }),
    release: async () => {
      released = true;
    },
    calls: () => ({ renewals, released }),
    ...more,
  };
}

const said: string[] = [];
const parentWith = (signal = new AbortController().signal, clock = () => new Date()) => ({
  cwd: process.cwd(),
  env: process.env,
  signal,
  onSignal: (listener: (name: NodeJS.Signals) => void) => {
    const pass = () => listener(signal.reason);
    signal.addEventListener('abort', pass);
    return () => signal.removeEventListener('abort', pass);
  },
  clock,
  timeout: () => new AbortController().signal,
});
/** No lock expires, however slow the machine is. */
const stoppedClock = () => new Date(0);
const runOf = (script: string, more: Partial<LockedRun> = {}): LockedRun => ({
  child: () => ({ command: 'sh', args: ['-c', script] }),
  waitMs: undefined,
  graceMs: 100,
  output: { note: () => {}, detail: () => {}, warn: (text) => said.push(text) },
  ...more,
});
const unreachable = async (): Promise<boolean> => {
  throw new LanyardError('unreachable', 'connection refused');
};

test('renews the lock until the command ends', async () => {
  const renewed = Promise.withResolvers<void>();
  const lock = lockOf(async (count) => {
    if (count === 3) renewed.resolve();
    return true;
  });
  const signal = new AbortController();
  const running = runWithLock(
    lock,
    runOf('trap "exit 5" TERM; while :; do sleep 0.05; done'),
    parentWith(signal.signal, stoppedClock),
  );
  await renewed.promise;
  signal.abort('SIGTERM');
  expect(await running).toBe(5);
  expect(lock.calls().renewals).toBeGreaterThanOrEqual(3);
  expect(lock.calls().released).toBe(true);
});

test.each([
  ['is rejected', async () => false, 'it was released or has expired'],
  ['fails until the time to live is over', unreachable, 'it could not be renewed: connection refused'],
  [
    'has no response',
    () => new Promise<boolean>(() => {}),
    'it could not be renewed: the service did not respond in time',
  ],
])('stops the command if a renewal %s', async (_what, renew, cause) => {
  const lock = lockOf(renew);
  const running = runWithLock(lock, runOf('exec sleep 1000'), parentWith());
  await expect(running).rejects.toMatchObject({
    kind: 'conflict',
    message: 'lost the lock on key "x" while the command was running',
    details: [cause, 'the command ended with exit code 143'],
  });
  expect(lock.calls().released).toBe(true);
});

test('a failed renewal that is repeated in time does not stop the command', async () => {
  const renewed = Promise.withResolvers<void>();
  const lock = lockOf(
    async (count) => {
      if (count === 1) return unreachable();
      renewed.resolve();
      return true;
    },
    // Much longer than the pause before the repetition.
    { ttlMs: 4000 },
  );
  const signal = new AbortController();
  const running = runWithLock(
    lock,
    runOf('trap "exit 5" TERM; while :; do sleep 0.05; done'),
    parentWith(signal.signal, stoppedClock),
  );
  await renewed.promise;
  signal.abort('SIGTERM');
  expect(await running).toBe(5);
});

test('a command that continues after the time to live of its lock is ended, although nothing was renewed yet', async () => {
  const start = Promise.withResolvers<(name: NodeJS.Signals) => void>();
  let nowMs = 0;
  const clock = () => new Date(nowMs);
  const onSignal = (listener: (name: NodeJS.Signals) => void) => {
    start.resolve(listener);
    return () => undefined;
  };
  const lock = lockOf(async () => true, { ttlMs: 3_600_000 });
  const running = runWithLock(lock, runOf('exec sleep 1000'), {
    ...parentWith(undefined, clock),
    onSignal,
  });
  const listener = await start.promise;
  nowMs = 3_599_999;
  listener('SIGCONT');
  expect(lock.calls().released).toBe(false);
  nowMs = 3_600_000;
  listener('SIGCONT');
  await expect(running).rejects.toMatchObject({
    kind: 'conflict',
    details: ['it has expired while this process was stopped', 'the command ended with exit code 143'],
  });
});

test('kills a command that ignores SIGTERM', async () => {
  const running = runWithLock(
    lockOf(async () => false),
    runOf('trap "" TERM; while :; do sleep 0.05; done'),
    parentWith(),
  );
  await expect(running).rejects.toMatchObject({
    details: [expect.anything(), 'the command ended with exit code 137'],
  });
});

test('stops the command as soon as the service says that the lock is lost', async () => {
  const lock = lockOf(async () => true, {
    ttlMs: 3_600_000,
    hold: () => ({ renew: async () => true, watch: async () => {} }),
  });
  await expect(runWithLock(lock, runOf('exec sleep 1000'), parentWith())).rejects.toMatchObject({
    kind: 'conflict',
  });
});

test('a lock that cannot be released is a warning, and the command keeps its exit code', async () => {
  said.length = 0;
  const lock = lockOf(async () => true, { release: async () => void (await unreachable()) });
  expect(await runWithLock(lock, runOf('exit 3'), parentWith())).toBe(3);
  expect(said).toEqual(['cannot release the lock on key "x": connection refused; it expires']);
});

test('an attempt that fails releases a lock that may be held, and starts nothing', async () => {
  let released = 0;
  const lock = lockOf(async () => true, {
    acquire: unreachable,
    release: async () => {
      released++;
    },
  });
  const child = () => {
    throw new Error('started');
  };
  await expect(runWithLock(lock, runOf('', { child }), parentWith())).rejects.toMatchObject({
    kind: 'unreachable',
  });
  expect(released).toBe(1);
});

test('an attempt that took too long is repeated: the lock may be about to expire', async () => {
  let now = 0;
  let attempts = 0;
  const lock = lockOf(async () => true, {
    acquire: async () => {
      attempts++;
      now += attempts === 1 ? 300 : 0;
      return true;
    },
  });
  const parent = { ...parentWith(), clock: () => new Date(now) };
  expect(await runWithLock(lock, runOf('exit 0'), parent)).toBe(0);
  expect(attempts).toBe(2);
});
