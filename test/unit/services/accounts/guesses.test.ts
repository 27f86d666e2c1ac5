import { expect, test } from 'vitest';
import { accounts } from './support.ts';

test('guesses do not delay others, and too many concurrent ones are rejected', async () => {
  const { ask, authenticate } = await accounts({ scryptCost: 2 ** 15 });
  const guesses = Array.from({ length: 70 }, () => authenticate('missing', 'not the password'));
  let checked = 0;
  const statuses = guesses.map(async (guess) => {
    const { status } = await guess;
    if (status === 401) checked++;
    return status;
  });
  // All of them are under way when the first is answered.
  await Promise.race(statuses);
  for (let at = 0; at < 20; at++) expect((await ask('GET', 'health', undefined, null)).status).toBe(200);
  // Two are checked at once: were the others to wait for a guess each, these would be all but 26.
  expect(checked).toBeLessThan(30);
  const seen = await Promise.all(statuses);
  expect(new Set(seen)).toEqual(new Set([401, 429]));
});
