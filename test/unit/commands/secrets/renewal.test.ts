import { expect, test } from 'vitest';
import { type RenewalContext, renewUntilEnd } from '../../../../src/commands/secrets/lib/renewal.ts';
import { LanyardError } from '../../../../src/errors.ts';
import { FakeTimers } from '../../../support/fake-time.ts';

type Response = number | Error | 'not renewable';

/** Renews a lifetime with these responses, the last one for ever, until `untilMs` have passed. */
async function renewed(seconds: number, responses: readonly Response[], untilMs = 10 * 3_600_000) {
  const time = new FakeTimers();
  const startMs = time.nowMs;
  const ended = new AbortController();
  const messages: string[] = [];
  const calls: number[] = [];
  const ctx: RenewalContext = {
    output: { note: (text) => messages.push(text), warn: (text) => messages.push(text) },
    system: {
      clock: time.clock,
      sleep: async (ms, signal) => void (await time.sleep(ms, signal)),
      // The earliest renewal: at half of the lifetime.
      random: (length) => new Uint8Array(length),
      signal: new AbortController().signal,
    },
  };
  const renew = async () => {
    const next = responses[Math.min(calls.length, responses.length - 1)] ?? 1;
    calls.push((time.nowMs - startMs) / 1000);
    if (next instanceof Error) throw next;
    return next === 'not renewable'
      ? { lease_duration: seconds, renewable: false }
      : { lease_duration: next, renewable: true };
  };
  void time.sleep(untilMs).then(() => ended.abort());
  const isGone = (error: unknown) => error instanceof LanyardError && error.kind === 'not_found';
  const end = await time.run(
    renewUntilEnd(seconds, { what: 'lease', renew, isGone, ended: ended.signal }, ctx),
  );
  return { end, calls, messages, inSeconds: end && (end.expiresMs - startMs) / 1000 };
}

const sealed = new LanyardError('unavailable', 'sealed');

test('renews a lifetime of 6 seconds for a minute, at half of it', async () => {
  const { end, calls, messages } = await renewed(6, [6], 60_000);
  expect(end).toBeUndefined();
  expect(calls).toEqual(Array.from({ length: 19 }, (_, index) => 3 * (index + 1)));
  expect(messages).toEqual([]);
});

test('ends when the service grants less than before, with the time of the expiry', async () => {
  const { end, inSeconds } = await renewed(100, [100, 100, 40]);
  expect(end?.cause).toBe('it has reached its maximum lifetime');
  expect(inSeconds).toBe(190);
});

test('ends when the service says that it is not renewable any more', async () => {
  expect((await renewed(100, ['not renewable'])).inSeconds).toBe(150);
});

test('survives an outage that is shorter than what is left, with one warning', async () => {
  const { end, calls, messages } = await renewed(60, [60, sealed, sealed, sealed, 60], 120_000);
  expect(end).toBeUndefined();
  // Each attempt is in the middle of what is left.
  expect(calls.slice(0, 5)).toEqual([30, 60, 75, 82.5, 86.25]);
  expect(messages).toEqual(['cannot renew the lease yet: sealed', 'The lease was renewed again.']);
});

test('ends when an outage outlives the lifetime', async () => {
  const { end, inSeconds, calls } = await renewed(60, [sealed]);
  expect(end?.cause).toBe('sealed');
  expect(inSeconds).toBe(60);
  expect(calls.length).toBeGreaterThan(5);
});

test('repeats a failed renewal after at most 5 minutes, however long the lifetime is', async () => {
  const { calls } = await renewed(32 * 3600, [sealed, 32 * 3600], 40 * 3_600_000);
  expect(calls.slice(0, 2)).toEqual([16 * 3600, 16 * 3600 + 300]);
});

test('renews a lifetime of a year before the limit of timers', async () => {
  const { calls } = await renewed(365 * 86_400, [365 * 86_400], 100 * 86_400_000);
  expect(calls).toHaveLength(4);
});

test('ends at once with an error that will not pass, and with what does not exist any more', async () => {
  const denied = await renewed(60, [new LanyardError('forbidden', 'permission denied')]);
  expect(denied).toMatchObject({ end: { cause: 'permission denied' }, inSeconds: 60, calls: [30] });
  const gone = await renewed(60, [new LanyardError('not_found', 'lease not found')]);
  expect(gone).toMatchObject({ end: { cause: 'it has expired or was revoked' }, inSeconds: 30 });
});
