import { expect, test } from 'vitest';
import { Semaphore } from '../../../src/services/core/semaphore.ts';

const tooMany = new Error('too many');

/** Tasks that run until they are ended, and those started so far. */
function worker(turns: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const take = (name: string) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    const work = turns.run(() => {
      begun.push(name);
      return end.promise;
    });
    // Avoids a second, unhandled rejection if the test fails before it awaits the work.
    work.catch(() => {});
    return work;
  };
  return { begun, take, end: (name: string) => ends.get(name) as PromiseWithResolvers<string> };
}

test('the configured number runs concurrently, and the others in order of arrival', async () => {
  const { begun, take, end } = worker(new Semaphore({ concurrency: 2, maxQueued: 2 }, () => tooMany));
  const all = ['a', 'b', 'c', 'd'].map(take);
  expect(begun).toEqual(['a', 'b']);
  end('b').resolve('of b');
  expect(await all[1]).toBe('of b');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a').resolve('of a');
  expect(await all[0]).toBe('of a');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('c').resolve('of c');
  end('d').resolve('of d');
  expect(await Promise.all(all)).toEqual(['of a', 'of b', 'of c', 'of d']);
});

test('work beyond the queue is rejected and does not run', async () => {
  const { begun, take, end } = worker(new Semaphore({ concurrency: 1, maxQueued: 1 }, () => tooMany));
  const first = take('a');
  const second = take('b');
  await expect(take('c')).rejects.toBe(tooMany);
  end('a').resolve('');
  end('b').resolve('');
  await Promise.all([first, second]);
  expect(begun).toEqual(['a', 'b']);
});

test('failed work passes its slot to the next', async () => {
  const { begun, take, end } = worker(new Semaphore({ concurrency: 1, maxQueued: 1 }, () => tooMany));
  const first = take('a');
  const second = take('b');
  end('a').reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  end('b').resolve('done');
  expect(await second).toBe('done');
  expect(begun).toEqual(['a', 'b']);
});

test('after all work has ended, the full number can run again', async () => {
  const { begun, take, end } = worker(new Semaphore({ concurrency: 1, maxQueued: 0 }, () => tooMany));
  for (const name of ['a', 'b']) {
    const work = take(name);
    expect(begun.at(-1)).toBe(name);
    await expect(take('c')).rejects.toBe(tooMany);
    end(name).resolve('');
    await work;
  }
});
