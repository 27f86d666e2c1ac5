import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedProcess, embeddedProcess } from '../../support/embedded.ts';
import { counted, report } from '../../support/soak.ts';

/** Writes of one kind, one after the other, and what must be there after. */
export interface Load<Ask> {
  /** Does one write; a rejection is a write without an answer. */
  write(ask: Ask): Promise<void>;
  /** Looks at what the service has after a restart. */
  check(ask: Ask): Promise<void>;
}

interface Lane<Ask> {
  /** What is killed, as the report of a soak begins. */
  readonly name: string;
  /** The directory that the services keep their state in. */
  readonly data: string;
  readonly kills: number;
  readonly loads: readonly Load<Ask>[];
  /** How the service that runs now is asked; rejects when it is killed before it answers. */
  asker(running: EmbeddedProcess, agent: Agent): Ask;
  /** Looks at each start before anything else, `killed` kills before. */
  started?(running: EmbeddedProcess, ask: Ask, killed: number): Promise<void>;
}

/** One data directory through all its kills; gives the number of writes that were answered. */
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

/** Answers before the killing begins: however slow the machine is, something was promised. */
const enough = 10;

/**
 * Each kind of load writes and writes; then the process is killed, as by a power cut, at no particular moment.
 * Gives the number of writes that were answered.
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
