import { usage } from '../errors.ts';
import { parseDuration } from '../wire/duration.ts';
import { flag, type Values } from './command.ts';
import type { Context } from './context.ts';
import type { ServiceLock } from './system.ts';

/** The flags of a command that runs another one while it holds a lock. */
export const lockFlags = {
  wait: flag.duration('how long to wait for the lock; 0: one attempt (default: until it is free)'),
  ttl: flag.duration('lifetime of the lock without a renewal, 10s to 24h (default 15s)'),
  grace: flag.duration('time between SIGTERM and SIGKILL if the lock is lost (default 5s)'),
} as const;

/** Seconds that the services accept. */
const ttlSeconds = { min: 10, max: 24 * 3600 };

/** @returns seconds. @throws LanyardError usage: the services do not accept the time to live. */
export function checkTtl(ttl: string): number {
  const seconds = parseDuration(ttl) ?? 0;
  if (seconds >= ttlSeconds.min && seconds <= ttlSeconds.max) return seconds;
  throw usage(`invalid --ttl ${ttl}: expected 10s to 24h`);
}

/** Runs a command while a lock is held. @param env its environment; called when the lock is held. */
export async function runWithLock(
  lock: ServiceLock,
  [command = '', ...args]: readonly string[],
  env: () => Readonly<Record<string, string>>,
  { wait, grace = '5s' }: Values<typeof lockFlags>,
  { system, output }: Pick<Context, 'system' | 'output'>,
) {
  // A dry run shows the first request and ends here.
  if (output.isDryRun) await lock.acquire(system.signal);
  const milliseconds = (duration: string) => (parseDuration(duration) ?? 0) * 1000;
  const exitCode = await system.runWithLock(lock, {
    child: () => ({ command, args, env: env() }),
    waitMs: wait === undefined ? undefined : milliseconds(wait),
    graceMs: milliseconds(grace),
    output,
  });
  return { exitCode };
}
