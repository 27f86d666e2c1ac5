import { mkdirSync, readdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';

// Quickstart with a program in the place of Lanyard that does nothing: only its own steps.

const at = homeForAll();
beforeAll(() => {
  mkdirSync(at.file('tmp'));
  vi.stubEnv('TMPDIR', at.file('tmp'));
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** Runs it, and interrupts it when it has printed so many texts. */
async function interruptAfter(count: number) {
  const signal = new AbortController();
  let printed = 0;
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => {
      printed += 1;
      if (printed === count) signal.abort('SIGTERM');
      done();
    },
  });
  const { code } = await at.run(['quickstart'], { self: ['true'], signal: signal.signal, stdout });
  return { code, printed };
}

test('an interruption at any step of quickstart leaves no files', async () => {
  const { code, printed } = await interruptAfter(Number.POSITIVE_INFINITY);
  expect(code).toBe(0);
  expect(printed).toBeGreaterThan(30);
  // The first and last texts, and some of each step.
  const counts = Array.from({ length: printed }, (_, index) => index + 1);
  for (const count of counts.filter((each) => each <= 3 || each % 7 === 0 || each >= printed - 2)) {
    const ended = await interruptAfter(count);
    expect([count, ended.code]).toEqual([count, ended.printed === printed ? 0 : 143]);
    expect(readdirSync(at.file('tmp'))).toEqual([]);
  }
});
