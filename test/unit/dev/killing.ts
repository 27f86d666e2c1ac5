import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedProcess } from '../../support/embedded.ts';

/** Writes of one kind, one after the other, and what must be there after. */
export interface Load<Ask> {
  /** Does one write; a rejection is a write without an answer. */
  write(ask: Ask): Promise<void>;
  /** Looks at what the service has after a restart. */
  check(ask: Ask): Promise<void>;
}

/** Answers before the killing begins: however slow the machine is, something was promised. */
const enough = 10;

/**
 * Each kind of load writes and writes; then the process is killed, as by a power cut, at no particular moment.
 * Gives the number of writes that were answered.
 */
export async function loadUntilKilled<Ask>(
  running: EmbeddedProcess,
  loads: readonly Load<Ask>[],
  ask: Ask,
): Promise<number> {
  let count = 0;
  let alive = true;
  const begun = Promise.withResolvers<void>();
  const work = async (load: Load<Ask>): Promise<void> => {
    while (alive) {
      try {
        await load.write(ask);
        count++;
        if (count === enough) begun.resolve();
      } catch (error) {
        // Only what the kill itself does to a request is no fault.
        if (!isCutOff(error)) throw error;
        return;
      }
    }
  };
  const working = Promise.all(loads.map(work));
  await Promise.race([begun.promise, working]);
  await pause(randomInt(100));
  await running.kill();
  alive = false;
  await working;
  return count;
}

const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code));
