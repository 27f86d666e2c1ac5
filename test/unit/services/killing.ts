import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedProcess, embeddedProcess } from '../../support/embedded.ts';
import { counted, report } from '../../support/soak.ts';

/** Sequential writes of one kind, and the check of their result. */
export interface Load<Ask> {
  /** Writes once; a rejection is a write without a response. */
  write(ask: Ask): Promise<void>;
  /** Checks the state of the service after a restart. */
  check(ask: Ask): Promise<void>;
}

interface Lane<Ask> {
  /** What is killed, as the report of a soak begins. */
  readonly name: string;
  /** The directory that the services keep their state in. */
  readonly data: string;
  readonly kills: number;
  readonly loads: readonly Load<Ask>[];
  /** Sends requests to the running service; rejects if it is killed before the response. */
  asker(running: EmbeddedProcess, agent: Agent): Ask;
  /** Called at each start before anything else, after `killed` kills. */
  started?(running: EmbeddedProcess, ask: Ask, killed: number): Promise<void>;
}

/** One data directory through all its kills; returns the number of acknowledged writes. */
export async function killedOften<Ask>(lane: Lane<Ask>): Promise<number> {
  const { data, kills, loads } = lane;
  let count = 0;
  await counted(`kill -9 of ${lane.name}`, async (tried) => {
    for (let killed = 0; killed <= kills; killed++) {
      const running = await embeddedProcess(data);
      const agent = new Agent({ keepAlive: true });
      const ask = lane.asker(running, agent);
      await lane.started?.(running, ask, killed);
      await Promise.all(loads.map((load) => load.check(ask)));
      if (killed === kills) await running.kill();
      else {
        tried();
        count += await loadUntilKilled(running, loads, ask);
      }
      agent.destroy();
    }
  });
  report(`writes answered before a kill of ${lane.name}`, count, 0);
  return count;
}

/** Responses before the kill, so that even on a slow machine some writes are acknowledged. */
const enough = 10;

/**
 * Every load writes repeatedly; then the process is killed at a random moment, as in a power failure.
 * Returns the number of acknowledged writes.
 */
async function loadUntilKilled<Ask>(
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
        // Only connection errors caused by the kill are expected.
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
