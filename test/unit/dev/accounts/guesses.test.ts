import { expect, test } from 'vitest';
import { accounts } from './support.ts';

test('guesses do not hold up the others, and too many at once are refused', async () => {
  const { ask, authenticate } = await accounts();
  const guesses = Array.from({ length: 70 }, () => authenticate('nobody', 'not the password'));
  const statuses = guesses.map(async (guess) => (await guess).status);
  const waits: number[] = [];
  for (let at = 0; at < 20; at++) {
    const before = performance.now();
    expect((await ask('GET', 'health', undefined, null)).status).toBe(200);
    waits.push(performance.now() - before);
  }
  waits.sort((a, b) => a - b);
  expect(waits[10]).toBeLessThan(100);
  const seen = await Promise.all(statuses);
  expect(new Set(seen)).toEqual(new Set([401, 429]));
}, 60_000);
