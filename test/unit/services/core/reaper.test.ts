import { describe, expect, test } from 'vitest';
import { Reaper, TtlReaper } from '../../../../src/services/core/reaper.ts';

const never = Number.POSITIVE_INFINITY;

describe('a reaper', () => {
  function reaperOf(removeExpired: () => Promise<void>) {
    const state = { now: 1_000, due: never };
    const errors: unknown[] = [];
    const reaper = new Reaper({
      now: () => state.now,
      nextExpiry: () => state.due,
      removeExpired,
      onError: (error) => errors.push(error),
    });
    return { errors, reaper, state };
  }

  test('removes only what is due, once for concurrent sweeps', async () => {
    let removals = 0;
    const { reaper, state } = reaperOf(async () => {
      removals++;
    });
    state.due = 1_001;
    await reaper.sweep();
    await reaper.removeExpired();
    expect(removals).toBe(0);
    state.now = 1_001;
    await Promise.all([reaper.sweep(), reaper.sweep()]);
    expect(removals).toBe(1);
    await reaper.sweep();
    await reaper.removeExpired();
    expect(removals).toBe(3);
  });

  test('reports a failed sweep until it is stopped, and throws if a removal fails', async () => {
    const failure = new Error('disk full');
    const { errors, reaper, state } = reaperOf(() => Promise.reject(failure));
    state.due = 0;
    await Promise.all([reaper.sweep(), reaper.sweep()]);
    expect(errors).toEqual([failure]);
    await expect(reaper.removeExpired()).rejects.toBe(failure);
    reaper.stop();
    await reaper.sweep();
    expect(errors).toEqual([failure]);
  });

  test('sweeps by its timer, and again for what expires next', async () => {
    const removed = Promise.withResolvers<void>();
    let removals = 0;
    const { reaper, state } = reaperOf(async () => {
      removals++;
      if (removals === 2) {
        state.due = never;
        removed.resolve();
      } else state.due = state.now + 1;
    });
    state.due = 1_001;
    reaper.arm();
    const clock = setInterval(() => state.now++, 1);
    await removed.promise;
    clearInterval(clock);
    reaper.stop();
    expect(removals).toBe(2);
  });
});

describe('times to live', () => {
  class Keys extends TtlReaper {
    override start(key: string, ttlMs: number): void {
      super.start(key, ttlMs);
    }
    override cancel(key: string): void {
      super.cancel(key);
    }
  }

  test('expire keys that were neither restarted nor cancelled', async () => {
    let now = 0;
    const expired: string[][] = [];
    const keys = new Keys({
      now: () => now,
      onError: () => {},
      async expire(due) {
        expired.push([...due]);
        // Restarted while it is removed: it has a new time to live.
        if (due.includes('d')) keys.start('d', 20_000);
      },
    });
    for (const key of ['a', 'b', 'c', 'd']) keys.start(key, 10_000);
    now = 5_000;
    keys.start('b', 10_000);
    keys.cancel('c');
    now = 10_000;
    await keys.removeExpired();
    now = 15_000;
    await keys.removeExpired();
    await keys.removeExpired();
    now = 30_000;
    await keys.removeExpired();
    keys.stop();
    expect(expired).toEqual([['a', 'd'], ['b'], ['d']]);
  });
});
