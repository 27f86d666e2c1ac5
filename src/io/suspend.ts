import { setTimeout as delay } from 'node:timers/promises';
import { hasTerminal } from './foreground.ts';
import { areStopped, isOwnGroupOrphaned } from './process-group.ts';

/** Milliseconds between checks whether the child has stopped. */
const pollMs = 20;
/** A child that has not stopped by then ignores SIGTSTP: this process continues, too. */
const maxChecks = 100;

interface Stopping {
  /** The processes that must have stopped; none: they have ended. */
  members(): Promise<readonly number[]>;
  /** SIGCONT arrived, or the child has ended. */
  readonly end: AbortSignal;
}

/**
 * Stops this process as soon as all members have stopped, like a job of a shell: the shell gets the terminal back only
 * when the process that it started has stopped. Without a shell that could continue the process, ^Z has no effect.
 */
export async function stopWithChild({ members, end }: Stopping): Promise<void> {
  if (hasTerminal() && (await isOwnGroupOrphaned())) return;
  for (let check = 0; check < maxChecks && !end.aborted; check += 1) {
    const ids = await members();
    if (ids.length === 0) return;
    if (await areStopped(ids)) {
      if (!end.aborted) process.kill(process.pid, 'SIGSTOP');
      return;
    }
    await delay(pollMs);
  }
}
