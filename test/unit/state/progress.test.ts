import { expect, test } from 'vitest';
import { counter, withProgress } from '../../../src/state/progress.ts';

/** A line of progress, and what it showed. */
function line(columns: number) {
  const shown: string[] = [];
  return {
    shown,
    start: async (text: string) => {
      shown.push(text);
      return { columns, update: (next: string) => shown.push(next), stop: () => shown.push('stopped') };
    },
  };
}

test('counts objects with thousands separators', async () => {
  const { shown, start } = line(80);
  const count = counter(await start('reading objects'), 'reading objects', 10_000);
  for (let done = 0; done < 1234; done += 1) count();
  expect(shown[1]).toBe('reading objects 1 of 10,000');
  expect(shown.at(-1)).toBe('reading objects 1,234 of 10,000');
});

test('writes no text without a terminal', async () => {
  const { shown, start } = line(0);
  await withProgress(start, 'reading objects', 2, async (count) => count());
  expect(shown).toEqual(['reading objects', 'stopped']);
});

test('removes the line at the end, also after an error, and returns the result', async () => {
  const { shown, start } = line(80);
  expect(await withProgress(start, 'applying changes', 1, async () => 'result')).toBe('result');
  const work = withProgress(start, 'applying changes', 1, () => Promise.reject(new Error('failed')));
  await expect(work).rejects.toThrow('failed');
  expect(shown).toEqual(['applying changes', 'stopped', 'applying changes', 'stopped']);
});
