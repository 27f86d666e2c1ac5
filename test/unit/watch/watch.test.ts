import { describe, expect, test } from 'vitest';
import { LanyardError } from '../../../src/errors.ts';
import {
  type BlockingQuery,
  isPermanentError,
  type Reading,
  type Source,
  type WatchEvent,
  watch,
} from '../../../src/watch/watch.ts';
import { FakeTime } from '../../support/fake-time.ts';

const unreachable = new LanyardError('unreachable', 'connection refused');
const forbidden = new LanyardError('forbidden', 'permission denied', { status: 403 });

type Step<Value> = Reading<Value> | LanyardError;

/** A source that plays steps and then ends the watch, and what was asked of it. */
function recorded<Value>(steps: readonly Step<Value>[], more: Partial<Source<Value>> = {}) {
  const time = new FakeTime();
  const end = new AbortController();
  const queries: (BlockingQuery | undefined)[] = [];
  const notices: string[] = [];
  const startedMs: number[] = [];
  let confirmed = 0;
  const left = [...steps];
  const next = (): Reading<Value> => {
    const step = left.shift();
    if (left.length === 0) end.abort();
    if (step === undefined) throw new Error('read after the end');
    if (step instanceof LanyardError) throw step;
    return step;
  };
  const { confirm, ...rest } = more;
  const source: Source<Value> = {
    read: async (after) => {
      queries.push(after);
      startedMs.push(time.nowMs);
      return next();
    },
    ...rest,
    ...(confirm && {
      confirm: async (signal: AbortSignal) => {
        confirmed += 1;
        return confirm(signal);
      },
    }),
  };
  const options = {
    clock: time.clock,
    sleep: time.sleep,
    random: () => 0.5,
    signal: end.signal,
    onRetry: (error: LanyardError) => notices.push(error.message),
  };
  return {
    time,
    end,
    queries,
    notices,
    startedMs,
    source,
    options,
    confirmations: () => confirmed,
    async events(more: { readonly intervalMs?: number } = {}): Promise<WatchEvent<Value>[]> {
      const events: WatchEvent<Value>[] = [];
      for await (const event of watch(source, { ...options, ...more })) events.push(event);
      return events;
    },
  };
}

const at = (value: string | undefined, index?: number): Reading<string> => ({
  value,
  index: index === undefined ? undefined : String(index),
});
const shown = (events: readonly WatchEvent<unknown>[]): string[] =>
  events.map((event) => {
    const what = event.status === 'present' ? JSON.stringify(event.data) : event.status;
    return event.isChange || event.status === 'error' ? what : `${what} again`;
  });
const indexes = (queries: readonly (BlockingQuery | undefined)[]): (string | undefined)[] =>
  queries.map((query) => query?.index);

describe('events', () => {
  test('the first state at once, then each change; absence is a state', async () => {
    const { events, time } = recorded([at('a', 5), at('b', 6), at(undefined, 7), at('c', 8)]);
    const found = await events();
    expect(shown(found)).toEqual(['"a"', '"b"', 'absent', '"c"']);
    expect(found[0]).toEqual({
      at: new Date('2026-01-01T00:00:00Z'),
      index: '5',
      status: 'present',
      isChange: true,
      data: 'a',
    });
    expect(time.slept).toHaveLength(4);
  });

  test('an absent object is the first state', async () => {
    const { events } = recorded([at(undefined, 3), at(undefined, 4), at('a', 5)]);
    expect(shown(await events())).toEqual(['absent', '"a"']);
  });

  test('no event for the same index or an equal state', async () => {
    const { events } = recorded<object>([
      { value: { a: [1] }, index: '5' },
      { value: { a: [1] }, index: '5' },
      { value: { a: [1] }, index: '9' },
      { value: { a: [2] }, index: '10' },
    ]);
    expect(shown(await events())).toEqual(['{"a":[1]}', '{"a":[2]}']);
  });

  test('compares only the comparable part', async () => {
    const source = { comparable: (value: string) => value.toLowerCase() };
    const { events } = recorded([at('a'), at('A'), at('b')], source);
    expect(shown(await events())).toEqual(['"a"', '"b"']);
  });
});

describe('indexes', () => {
  test('each query follows the index of the last response', async () => {
    const { events, queries } = recorded([at('a', 5), at('b', 7), at('b', 7)]);
    await events();
    expect(queries).toEqual([undefined, { index: '5', waitSeconds: 60 }, { index: '7', waitSeconds: 60 }]);
  });

  test('an index that went backwards is reset, and the state read at once', async () => {
    const { events, queries } = recorded([at('a', 900), at('b', 12), at('b', 12), at('c', 13)]);
    expect(shown(await events())).toEqual(['"a"', '"b"', '"c"']);
    expect(indexes(queries)).toEqual([undefined, '900', undefined, '12']);
  });

  test('an index of 0 is sent as 1: a query after 0 would not block', async () => {
    const { events, queries } = recorded([at('a', 0), at('a', 0), at('b', 4)]);
    await events();
    expect(indexes(queries)).toEqual([undefined, '1', '1']);
  });

  test('keeps indexes beyond 2^53 exact', async () => {
    const index = '18446744073709551615';
    const { events, queries } = recorded([{ value: 'a', index }, at('a', 3)]);
    await events();
    expect(indexes(queries)).toEqual([undefined, index]);
  });

  test('an index that is not a number is polled', async () => {
    const { events, queries, time } = recorded([{ value: 'a', index: 'x' }, at('b')]);
    await events();
    expect(queries).toEqual([undefined, undefined]);
    expect(time.slept[0]).toBe(5250);
  });
});

describe('an empty state after another one', () => {
  test('is an event when a consistent read confirms it', async () => {
    const run = recorded([at('a', 5), at(undefined, 6), at(undefined, 6)], {
      confirm: async () => at(undefined, 8),
    });
    const found = await run.events();
    expect(shown(found)).toEqual(['"a"', 'absent']);
    expect(found[1]?.index).toBe('8');
    expect(run.confirmations()).toBe(1);
    expect(indexes(run.queries)).toEqual([undefined, '5', '8']);
  });

  test('is no event when the consistent read finds the object', async () => {
    const run = recorded([at('a', 5), at(undefined, 6), at('a', 7)], { confirm: async () => at('a', 6) });
    expect(shown(await run.events())).toEqual(['"a"']);
    expect(run.confirmations()).toBe(1);
  });

  test('is no event when the consistent read fails', async () => {
    const run = recorded([at('a', 5), at(undefined, 6), at('a', 5)], {
      confirm: async () => {
        throw new LanyardError('unavailable', 'no leader');
      },
    });
    expect(shown(await run.events())).toEqual(['"a"', 'error', '"a" again']);
  });

  test('is confirmed for lists without items too, and for what the source calls empty', async () => {
    const list = recorded<string[]>([{ value: ['a'] }, { value: [] }, { value: [] }], {
      confirm: async () => ({ value: ['a'] }),
    });
    expect(shown(await list.events())).toEqual(['["a"]']);
    const named = recorded([at('a'), at('-'), at('b')], {
      isEmpty: (value) => value === '-',
      confirm: async () => at('a'),
    });
    expect(shown(await named.events())).toEqual(['"a"', '"b"']);
  });

  test('an object that was absent before needs no confirmation', async () => {
    const run = recorded([at(undefined, 5), at(undefined, 6)], { confirm: async () => at('a') });
    expect(shown(await run.events())).toEqual(['absent']);
    expect(run.confirmations()).toBe(0);
  });
});

describe('errors', () => {
  test('one event and one notice for a row of them; the same state afterwards is no change', async () => {
    const { events, notices, queries } = recorded([
      at('a', 5),
      unreachable,
      unreachable,
      unreachable,
      at('a', 5),
      at('b', 6),
      unreachable,
      at('c', 7),
    ]);
    expect(shown(await events())).toEqual(['"a"', 'error', '"a" again', '"b"', 'error', '"c"']);
    expect(notices).toEqual(['connection refused', 'connection refused']);
    expect(indexes(queries)).toEqual([undefined, '5', undefined, undefined, undefined, '5', '6', undefined]);
  });

  test('delays grow from 250 ms to 30 s, half of them jitter', async () => {
    const run = recorded([...Array(12).fill(unreachable), at('a')]);
    const half = await run.events().then(() => run.time.slept.slice(0, 12));
    expect(half).toEqual([375, 750, 1500, 3000, 6000, 12_000, ...Array(6).fill(22_500)]);
    for (const random of [0, 0.999]) {
      const other = recorded([...Array(12).fill(unreachable), at('a')]);
      for await (const _ of watch(other.source, { ...other.options, random: () => random }));
      const delays = other.time.slept.slice(0, 12);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(250);
      expect(Math.max(...delays)).toBeLessThanOrEqual(30_000);
    }
  });

  test('a permanent error ends the watch', async () => {
    const run = recorded([at('a'), new LanyardError('failure', 'bad request', { status: 400 }), at('b')]);
    await expect(run.events()).rejects.toThrow('bad request');
  });

  test('a server that was away may deny access until its state is restored', async () => {
    const restart = [unreachable, unreachable, forbidden, forbidden, forbidden, forbidden];
    const run = recorded([at('a', 5), ...restart, at('b', 6)]);
    expect((await run.events()).map(({ status }) => status)).toEqual(['present', 'error', 'present']);
    // Another denial without an outage before it is one of the new token again.
    const denied = recorded([at('a', 5), ...restart, at('b', 6), forbidden, forbidden, at('c', 7)]);
    await expect(denied.events()).rejects.toThrow('permission denied');
  });

  test('access that is denied for long after an outage ends the watch', async () => {
    const denials = Array.from({ length: 30 }, () => forbidden);
    const run = recorded([at('a', 5), unreachable, ...denials, at('b', 6)]);
    await expect(run.events()).rejects.toThrow('permission denied');
    expect(run.startedMs.length).toBeGreaterThan(5);
    expect(run.startedMs.at(-1)).toBeLessThan(120_000 + (run.startedMs[0] ?? 0));
  });

  test('denied access ends the watch after one retry', async () => {
    const twice = recorded([at('a', 5), forbidden, forbidden, at('b', 6)]);
    await expect(twice.events()).rejects.toThrow('permission denied');
    expect(twice.queries).toHaveLength(3);
    const once = recorded([forbidden, at('a', 5), forbidden, at('a', 5), at('b', 6)]);
    expect(shown(await once.events())).toEqual(['"a"', '"b"']);
    expect(once.notices).toEqual([]);
  });

  test('the caller decides which errors are permanent', async () => {
    const run = recorded([at('a'), forbidden, forbidden, at('b')]);
    const found: WatchEvent<string>[] = [];
    for await (const event of watch(run.source, { ...run.options, isPermanent: () => false }))
      found.push(event);
    expect(shown(found)).toEqual(['"a"', 'error', '"b"']);
  });

  test('an internal error is not retried', async () => {
    const run = recorded<string>([at('a')], {
      read: async () => {
        throw new TypeError('defect');
      },
    });
    await expect(run.events()).rejects.toThrow('defect');
  });

  test.each([
    [unreachable, false],
    [new LanyardError('unavailable', 'sealed', { status: 503 }), false],
    [new LanyardError('failure', 'no leader', { status: 500 }), false],
    [new LanyardError('failure', 'bad request', { status: 400 }), true],
    [new LanyardError('usage', 'bad expression'), true],
    [forbidden, true],
  ])('%s is permanent: %s', (error, expected) => {
    expect(isPermanentError(error)).toBe(expected);
  });
});

describe('number of calls', () => {
  /** A registry of one object: a blocking query takes until a write, at most as long as it may. */
  function registry(time: FakeTime, writesMs: readonly number[], endMs: number, end: AbortController) {
    const start = time.nowMs;
    const startedMs: number[] = [];
    const indexAt = (ms: number): number => 10 + writesMs.filter((each) => each <= ms).length;
    const source: Source<number> = {
      read: async (after) => {
        const nowMs = time.nowMs - start;
        startedMs.push(nowMs);
        const timeoutMs = nowMs + (after ? after.waitSeconds * 1000 : 0);
        const isBehind = after === undefined || indexAt(nowMs) > Number(after.index);
        const next = writesMs.find((each) => each > nowMs) ?? Number.POSITIVE_INFINITY;
        if (!isBehind) time.pass(Math.min(next, timeoutMs) - nowMs);
        const index = indexAt(time.nowMs - start);
        if (time.nowMs - start >= endMs) end.abort();
        return { value: index, index: String(index) };
      },
    };
    return { source, startedMs };
  }

  async function calls(writesMs: readonly number[], endMs: number, random: () => number): Promise<number[]> {
    const time = new FakeTime();
    const end = new AbortController();
    const { source, startedMs } = registry(time, writesMs, endMs, end);
    const options = { clock: time.clock, sleep: time.sleep, random, signal: end.signal, onRetry: () => {} };
    for await (const _ of watch(source, options));
    return startedMs;
  }

  test.each([0, 0.5, 0.999])(
    '1,000 changes in 10 s: at most 10 calls in each second (jitter %f)',
    async (jitter) => {
      const writesMs = Array.from({ length: 1000 }, (_, n) => (n + 1) * 10);
      const startedMs = await calls(writesMs, 10_000, () => jitter);
      for (const ms of startedMs)
        expect(startedMs.filter((each) => each >= ms && each < ms + 1000).length).toBeLessThanOrEqual(10);
      expect(startedMs.length).toBeGreaterThan(50);
    },
  );

  test('10 minutes without a change: at most 12 calls', async () => {
    expect((await calls([], 600_000, () => 0)).length).toBeLessThanOrEqual(12);
  });

  test('a service that ignores "wait" is polled', async () => {
    const run = recorded(Array.from({ length: 20 }, () => at('a', 5)));
    await run.events();
    expect(run.time.slept.slice(0, 6)).toEqual([112.5, 112.5, 112.5, 5250, 5250, 5250]);
  });

  test('sources without indexes are polled at their interval, plus up to a tenth', async () => {
    const run = recorded([at('a'), at('b')], { intervalMs: 1000 });
    await run.events();
    expect(run.time.slept).toEqual([1050, 1050]);
  });

  test('a given interval replaces blocking queries', async () => {
    const run = recorded([at('a', 5), at('a', 5), at('b', 6)]);
    expect(shown(await run.events({ intervalMs: 2000 }))).toEqual(['"a"', '"b"']);
    expect(run.queries).toEqual([undefined, undefined, undefined]);
    expect(run.time.slept).toEqual([2100, 2100, 2100]);
  });

  test('an interval is at least 100 ms', async () => {
    const run = recorded([at('a'), at('b')]);
    await run.events({ intervalMs: 1 });
    expect(run.time.slept).toEqual([105, 105]);
  });
});

describe('the end', () => {
  test('a watch whose signal is aborted reads nothing', async () => {
    const run = recorded([at('a')]);
    run.end.abort();
    expect(await run.events()).toEqual([]);
    expect(run.queries).toEqual([]);
  });

  test('an aborted read is no error', async () => {
    const run = recorded([at('a', 5)]);
    const source: Source<string> = {
      read: async (after, signal) => {
        if (after === undefined) return at('a', 5);
        expect(signal).toBe(run.options.signal);
        run.end.abort();
        throw new LanyardError('interrupted', 'interrupted');
      },
    };
    const found: string[] = [];
    for await (const event of watch(source, run.options)) found.push(event.status);
    expect(found).toEqual(['present']);
  });
});

describe('the limits of retries', () => {
  const unauthenticated = new LanyardError('unauthenticated', 'invalid token', { status: 401 });

  test('an error of another kind is permanent, also with a status of 500 and above', () => {
    expect(isPermanentError(new LanyardError('not_found', 'not found', { status: 503 }))).toBe(true);
  });

  test('a second denial at the start ends the watch', async () => {
    const { events, queries } = recorded([forbidden, forbidden, at('a')]);
    await expect(events()).rejects.toBe(forbidden);
    expect(queries).toHaveLength(2);
  });

  test('a token that is rejected once is retried', async () => {
    const { events } = recorded([at('a'), unauthenticated, at('b')]);
    expect(shown(await events())).toEqual(['"a"', '"b"']);
  });

  test('denials after an outage end the watch after 30 s, with growing delays', async () => {
    const { events, queries, time } = recorded([unreachable, ...Array(20).fill(forbidden), at('a')]);
    await expect(events()).rejects.toBe(forbidden);
    expect(queries).toHaveLength(9);
    expect(time.slept.slice(1, 5)).toEqual([375, 750, 1500, 3000]);
  });

  test('a denial exactly 30 s after the first one ends the watch', async () => {
    const { source, options, time } = recorded([]);
    let reads = 0;
    let deniedMs = 0;
    const read = async (): Promise<never> => {
      reads += 1;
      if (reads === 1) throw unreachable;
      if (reads === 2) deniedMs = time.nowMs;
      else time.pass(deniedMs + 30_000 - time.nowMs);
      throw forbidden;
    };
    await expect(Array.fromAsync(watch({ ...source, read }, options))).rejects.toBe(forbidden);
    expect(reads).toBe(3);
  });

  test('20 denials are retried while the clock does not advance', async () => {
    const { source, options, queries } = recorded([unreachable, ...Array(30).fill(forbidden), at('a')]);
    const clock = (): Date => new Date(0);
    await expect(Array.fromAsync(watch(source, { ...options, clock }))).rejects.toBe(forbidden);
    expect(queries).toHaveLength(22);
  });

  test('an error that is not a LanyardError ends the watch', async () => {
    const { source, options } = recorded([]);
    const read = (): Promise<never> => Promise.reject(new TypeError('a defect'));
    const watched = watch({ ...source, read }, { ...options, isPermanent: () => false });
    await expect(Array.fromAsync(watched)).rejects.toThrow('a defect');
  });
});

describe('states', () => {
  test('an error is no change', async () => {
    const found = await recorded([at('a'), unreachable, at('a')]).events();
    expect(found.map(({ status, isChange }) => [status, isChange])).toEqual([
      ['present', true],
      ['error', false],
      ['present', false],
    ]);
  });

  test('an event without an index has no field for it', async () => {
    const [found] = await recorded([at('a')]).events();
    expect(Object.keys(found ?? {}).sort()).toEqual(['at', 'data', 'isChange', 'status']);
  });

  test('the same index is the same state', async () => {
    const { events } = recorded([at('a', 5), at('b', 5), at('a', 6), at('c', 7)]);
    expect(shown(await events())).toEqual(['"a"', '"c"']);
  });

  test('only states of an object are compared in parts', async () => {
    const comparable = (value: string): number => value.length;
    const steps = [at('a'), at('b'), at(undefined), at(undefined), at('ab')];
    expect(shown(await recorded(steps, { comparable }).events())).toEqual(['"a"', 'absent', '"ab"']);
  });

  test.each(['a5', '5a', '-5', ''])('"%s" is not an index', async (index) => {
    const { events, queries } = recorded([{ value: 'a', index }, at('b'), at('c')]);
    await events();
    expect(indexes(queries)).toEqual([undefined, undefined, undefined]);
  });
});

describe('blocking queries that return early', () => {
  /** Reads of an unchanged state that take some time, and the delays after them. */
  async function delays(tookMs: number, steps: readonly Step<string>[]): Promise<readonly number[]> {
    const { source, options, time } = recorded(steps);
    const read: typeof source.read = async (after, signal) => {
      if (after) time.pass(tookMs);
      return source.read(after, signal);
    };
    for await (const _event of watch({ ...source, read }, options));
    return time.slept;
  }
  const same = Array<Reading<string>>(6).fill(at('a', 5));
  const [blocking, polling] = [112.5, 5250];

  test('half of the wait is not early', async () => {
    expect(await delays(30_000, same)).toEqual(Array(6).fill(blocking));
  });

  test('three that are shorter are followed by reads at intervals', async () => {
    expect(await delays(29_999, same)).toEqual([blocking, blocking, blocking, polling, polling, polling]);
  });

  test('also after an error', async () => {
    const slept = await delays(0, [...same.slice(0, 4), unreachable, at('a', 5), at('a', 5)]);
    expect(slept.slice(3)).toEqual([polling, 375, polling, polling]);
  });
});
