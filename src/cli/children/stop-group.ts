import type { StartedChild } from '../../io/child.ts';
import type { Timing } from './value-feed.ts';

interface Stop {
  readonly signal: NodeJS.Signals;
  /** Milliseconds until SIGKILL. */
  readonly timeoutMs: number;
  readonly sleep: Timing['sleep'];
  /** Called before SIGKILL is sent. */
  readonly onTimeout?: () => void;
}

/** Milliseconds between checks whether a process group has ended. */
const pollMs = 50;

/** Stops a child and its group, with SIGKILL what is left after the timeout. */
export async function stopGroup(child: StartedChild, stop: Stop): Promise<void> {
  await child.killGroup(stop.signal);
  // A stopped process gets the signal when it continues.
  await child.killGroup('SIGCONT');
  if (await endsWithin(child, stop)) return;
  stop.onTimeout?.();
  await child.killGroup('SIGKILL');
  await child.ended;
}

/** @returns whether the child and its group have ended. */
async function endsWithin(child: StartedChild, { timeoutMs, sleep }: Stop): Promise<boolean> {
  const done = new AbortController();
  let isOver = false;
  const limit = sleep(timeoutMs, done.signal).then(() => {
    isOver = true;
  });
  await Promise.race([child.ended, limit]);
  while (!isOver && (await child.isGroupRunning())) await Promise.race([limit, sleep(pollMs, done.signal)]);
  done.abort();
  return !(await child.isGroupRunning());
}

/** Waits until the group of a child that has ended is empty, at most until the signal is aborted. */
export async function untilGroupEnds(
  child: StartedChild,
  { end, sleep, onWait }: Pick<Stop, 'sleep'> & { readonly end: AbortSignal; readonly onWait: () => void },
): Promise<void> {
  for (let isWaiting = false; !end.aborted && (await child.isGroupRunning()); isWaiting = true) {
    if (!isWaiting) onWait();
    await sleep(pollMs, end);
  }
}
