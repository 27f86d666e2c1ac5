import { setTimeout } from 'node:timers/promises';
import type { Host } from '../../command/host.ts';
import type { LockedRun, ServiceLock } from '../../command/system.ts';
import { conflict, LanyardError } from '../../errors.ts';
import { rejectInterrupted, type StartedChild, startChild } from '../../io/child.ts';
import { hasTerminal } from '../../io/foreground.ts';
import { newMembers } from '../../io/process-group.ts';
import { stopGroup, untilGroupEnds } from './stop-group.ts';

type Parent = Pick<Host, 'cwd' | 'env' | 'signal' | 'clock' | 'timeout' | 'onSignal'>;

/** Milliseconds until a failed renewal is repeated. */
const retryMs = 1000;

/**
 * Runs a command while a lock is held, and releases the lock when the command and the processes of its group have ended.
 * Each signal is forwarded each time it comes. If the lock is lost, the group is stopped with SIGTERM, and with SIGKILL
 * after a grace period.
 *
 * @returns the exit code of the command.
 * @throws LanyardError unavailable: not acquired in time; conflict: the lock was lost; interrupted: by a signal before
 * the command was started.
 */
export async function runWithLock(lock: ServiceLock, run: LockedRun, parent: Parent): Promise<number> {
  let isHeld = false;
  try {
    const acquiredMs = await acquireWithin(lock, run, parent);
    isHeld = true;
    return await runWhileHeld(lock, run, parent, acquiredMs);
  } finally {
    await lock.release().catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error);
      const advice = lock.unreleased?.();
      const say = isHeld || advice !== undefined ? run.output.warn : run.output.detail;
      say(`cannot release the lock on ${lock.name}: ${cause}; ${advice ?? 'it expires'}`);
    });
  }
}

/** @returns the time before the successful attempt, in milliseconds: the time to live starts later. */
async function acquireWithin(
  lock: ServiceLock,
  { waitMs = Number.POSITIVE_INFINITY, output }: LockedRun,
  { signal, clock, timeout }: Parent,
): Promise<number> {
  const start = clock().getTime();
  // One attempt has the timeouts of its requests. A timer cannot wait longer than this.
  const isLimited = waitMs > 0 && waitMs < 2 ** 31;
  const deadline = isLimited ? timeout(waitMs) : undefined;
  const end = deadline ? AbortSignal.any([signal, deadline]) : signal;
  const inTime = async <Value>(call: Promise<Value>): Promise<Value> => {
    try {
      return await call;
    } catch (error) {
      if (!deadline?.aborted || signal.aborted) throw error;
      throw new LanyardError('unavailable', `cannot lock ${lock.name}: no response within --wait`, {
        retryable: true,
        hint: 'The command was not started. Check that the service can be reached.',
      });
    }
  };
  for (let isWaiting = false; ; isWaiting = true) {
    const now = clock().getTime();
    const isHeld = await inTime(lock.acquire(end));
    rejectInterrupted({ signal });
    if (isHeld) {
      // After a slow attempt, the lock may be about to expire.
      if (clock().getTime() - now >= lock.ttlMs / 2) continue;
      output.detail(`acquired the lock on ${lock.name}`);
      return now;
    }
    const leftMs = start + waitMs - clock().getTime();
    if (leftMs <= 0)
      throw new LanyardError('unavailable', `cannot lock ${lock.name}: another process holds the lock`, {
        retryable: true,
        hint: 'The command was not started. Increase --wait to wait longer.',
      });
    if (!isWaiting) output.note(`waiting for the lock on ${lock.name}`);
    await inTime(lock.untilFree(leftMs, end));
    rejectInterrupted({ signal });
  }
}

async function runWhileHeld(
  lock: ServiceLock,
  run: LockedRun,
  parent: Parent,
  acquiredMs: number,
): Promise<number> {
  const end = new AbortController();
  const lost = new AbortController();
  const loseBecause = (cause: string): void => {
    if (end.signal.aborted || lost.signal.aborted) return;
    run.output.warn(`lost the lock on ${lock.name}: ${cause}; stopping the command`);
    lost.abort(cause);
  };
  const { renew, watch } = lock.hold(end.signal);
  const validity = { untilMs: acquiredMs + lock.ttlMs };
  const renewing = renewUntilLost(renew, {
    ttlMs: lock.ttlMs,
    validity,
    clock: parent.clock,
    end: end.signal,
  });
  void renewing.then((cause) => {
    if (cause !== undefined) loseBecause(cause);
  });
  void watch?.().then(() => loseBecause('it was released or has expired'));
  const onContinue = (): void => {
    if (parent.clock().getTime() >= validity.untilMs)
      loseBecause('it has expired while this process was stopped');
  };
  let code: number;
  try {
    code = await runUntilLost(run, { lost: lost.signal, onContinue }, parent);
  } finally {
    end.abort();
  }
  if (!lost.signal.aborted) return code;
  throw conflict(`lost the lock on ${lock.name} while the command was running`, {
    details: [String(lost.signal.reason), `the command ended with exit code ${code}`],
    hint: 'Another process may have acquired the lock meanwhile. Check what the command has done before you retry.',
  });
}

/** @returns the exit code of the command; what it has started has ended, too. */
async function runUntilLost(
  { child: program, graceMs, output }: LockedRun,
  { lost, onContinue }: { readonly lost: AbortSignal; readonly onContinue: () => void },
  { cwd, env, signal, onSignal }: Parent,
): Promise<number> {
  // Without the terminal, the command could neither ask for a password nor be stopped with ^Z.
  const group = hasTerminal() ? await newMembers() : 'own';
  rejectInterrupted({ signal });
  let running: StartedChild | undefined;
  const removeListener = onSignal((name) => {
    // Before the child continues: without the lock, it is only continued to be ended.
    if (name === 'SIGCONT') onContinue();
    running?.forward(name);
  });
  try {
    const child = startChild(program(), { cwd, env, group });
    running = child;
    await child.started;
    const stopping = new Promise<void>((stopped, failed) => {
      const stop = () =>
        stopGroup(child, { signal: 'SIGTERM', timeoutMs: graceMs, sleep }).then(stopped, failed);
      if (lost.aborted) stop();
      else lost.addEventListener('abort', stop, { once: true });
    });
    const code = await child.ended;
    const onWait = () => output.note('the command has ended; waiting for the processes that it has started');
    await untilGroupEnds(child, { end: lost, sleep, onWait });
    if (lost.aborted) await stopping;
    return code;
  } finally {
    removeListener();
  }
}

interface Renewal {
  readonly ttlMs: number;
  /** When the time to live ends, in milliseconds; changed by each renewal. */
  readonly validity: { untilMs: number };
  readonly clock: () => Date;
  readonly end: AbortSignal;
}

/**
 * Renews a lock in the middle of its time to live. A failed renewal is repeated until the time to live has ended.
 *
 * @returns why the lock is lost; undefined: `end` was aborted.
 */
async function renewUntilLost(
  renew: () => Promise<boolean>,
  { ttlMs, validity, clock, end }: Renewal,
): Promise<string | undefined> {
  let problem = 'the service did not respond in time';
  for (let nextMs = ttlMs / 2; ; ) {
    await sleep(Math.min(nextMs, validity.untilMs - clock().getTime()), end);
    if (end.aborted) return undefined;
    const sentMs = clock().getTime();
    if (sentMs >= validity.untilMs) return `it could not be renewed: ${problem}`;
    try {
      const isHeld = await Promise.race([renew(), sleep(validity.untilMs - sentMs, end)]);
      if (isHeld === false) return 'it was released or has expired';
      if (isHeld === undefined) continue;
      validity.untilMs = sentMs + ttlMs;
      nextMs = ttlMs / 2;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      nextMs = Math.min(retryMs, ttlMs / 10);
    }
  }
}

/** Waits, at most until the signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<undefined> =>
  setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
