import { expect, test } from 'vitest';
import { ValueFeed } from '../../../src/cli/children/value-feed.ts';
import type { SourceValues, WatchSettings } from '../../../src/command/supervised-run.ts';
import { LanyardError } from '../../../src/errors.ts';
import { FakeTime } from '../../support/fake-time.ts';

const of = (...values: readonly string[]): SourceValues[] =>
  values.map((value, index) => ({ name: `source ${index}`, items: { value } }));

/** A feed whose reads return these values in order, the last ones for ever; an error is thrown. */
function feedOf(
  reads: readonly (SourceValues[] | Error)[],
  { during, ...more }: Partial<WatchSettings> & { readonly during?: (ms: number) => void } = {},
) {
  const time = new FakeTime();
  const end = new AbortController();
  const warnings: string[] = [];
  let count = 0;
  const watch: WatchSettings = {
    action: 'restart',
    follow: async () => {},
    debounce: { minMs: 2000, maxMs: 10_000 },
    splayMs: 0,
    killSignal: 'SIGTERM',
    killTimeoutMs: 1,
    ...more,
  };
  const read = async (): Promise<SourceValues[]> => {
    const next = reads[Math.min(count, reads.length - 1)];
    count += 1;
    if (next instanceof Error) throw next;
    return next ?? [];
  };
  const output = {
    note: () => {},
    detail: () => {},
    mask: () => {},
    warn: (text: string) => warnings.push(text),
  };
  const sleep = async (ms: number): Promise<void> => {
    during?.(time.slept.length);
    await time.sleep(ms);
  };
  const feed = new ValueFeed(
    { read, watch, output },
    { clock: time.clock, random: () => new Uint8Array([128, 0, 0, 0]), sleep },
    end.signal,
    async (values) => ({ text: values.map(({ items }) => items.value).join() }),
  );
  return { feed, watch, time, end, warnings, reads: () => count };
}

test('reads several sources until two reads in a row are equal', async () => {
  const { feed, reads } = feedOf([of('a1', 'b1'), of('a2', 'b1'), of('a2', 'b2'), of('a2', 'b2')]);
  expect((await feed.read()).result.text).toBe('a2,b2');
  expect(reads()).toBe(4);
});

test('reads one source once', async () => {
  const { feed, reads } = feedOf([of('a1'), of('a2')]);
  expect((await feed.read()).result.text).toBe('a1');
  expect(reads()).toBe(1);
});

test('reports values that keep changing', async () => {
  const { feed } = feedOf(Array.from({ length: 9 }, (_, index) => of(`a${index}`, 'b')));
  await expect(feed.read()).rejects.toMatchObject({ kind: 'unavailable', retryable: true });
});

test('waits until no change is reported for the minimum', async () => {
  const { feed, watch, time } = feedOf([of('new')], { during: (count) => void (count < 2 && feed.report()) });
  feed.report();
  expect((await feed.next(of('old'), watch))?.result.text).toBe('new');
  expect(time.slept).toEqual([2000, 2000, 2000]);
});

test('waits for the maximum if changes keep being reported', async () => {
  const { feed, watch, time } = feedOf([of('new')], {
    debounce: { minMs: 2000, maxMs: 5000 },
    during: () => feed.report(),
  });
  feed.report();
  expect((await feed.next(of('old'), watch))?.result.text).toBe('new');
  expect(time.slept).toEqual([2000, 2000, 1000]);
});

test('waits for a random part of the splay', async () => {
  const { feed, watch, time } = feedOf([of('new')], { splayMs: 60_000, debounce: { minMs: 0, maxMs: 0 } });
  feed.report();
  expect((await feed.next(of('old'), watch))?.result.text).toBe('new');
  expect(time.slept).toEqual([30_000]);
});

test('ignores a report without another value', async () => {
  const { feed, watch, end, reads } = feedOf([of('old')]);
  feed.report();
  const next = feed.next(of('old'), watch);
  await expect.poll(reads).toBe(1);
  feed.report();
  await expect.poll(reads).toBe(2);
  end.abort();
  expect(await next).toBeUndefined();
});

test('repeats a failed read with one warning, and warns again after a success', async () => {
  const failure = new LanyardError('unreachable', 'connection refused');
  const { feed, watch, time, warnings } = feedOf([
    failure,
    failure,
    failure,
    of('new'),
    failure,
    of('newer'),
  ]);
  feed.report();
  expect((await feed.next(of('old'), watch))?.result.text).toBe('new');
  expect(time.slept).toEqual([2000, 1000, 2000, 4000]);
  const warning = 'cannot update the values: connection refused; the command keeps the current ones';
  expect(warnings).toEqual([warning]);
  feed.report();
  expect((await feed.next(of('new'), watch))?.result.text).toBe('newer');
  expect(warnings).toEqual([warning, warning]);
});

test('waits again if a change is reported while reads fail', async () => {
  const failure = new LanyardError('not_found', 'not found');
  const { feed, watch, time } = feedOf([failure, of('new')], {
    during: (count) => void (count === 1 && feed.report()),
  });
  feed.report();
  expect((await feed.next(of('old'), watch))?.result.text).toBe('new');
  expect(time.slept).toEqual([2000, 1000, 2000]);
});

test('rejects with an error that is not one of a read', async () => {
  const { feed, watch } = feedOf([new TypeError('a defect')]);
  feed.report();
  await expect(feed.next(of('old'), watch)).rejects.toThrow('a defect');
});
