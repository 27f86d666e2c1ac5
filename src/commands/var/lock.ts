import { isLockLost } from '../../api/conditions/scheduler.ts';
import type { SchedulerClient } from '../../api/scheduler.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { checkTtl, lockFlags, runWithLock } from '../../command/lock-flags.ts';
import type { ServiceLock } from '../../command/system.ts';
import { environment, environmentFlags } from '../../command/variable-names.ts';
import { insteadOf, usage } from '../../errors.ts';
import type { Items } from '../../io/variable-file.ts';
import { lockAcquirer } from './lib/acquire-lock.ts';
import { checkPath, maskItems, pathArg, requireNamespace } from './lib/variable.ts';

/** Milliseconds between attempts: a release cannot be waited for. */
const attemptMs = 1000;

export default command({
  description:
    'Locks the variable, creating it if missing, runs the command, renews the lock at half of --ttl, and releases it. Returns the exit code of the command; 8 if the lock was not free within --wait; 6 if it was lost: then its processes get SIGTERM, and SIGKILL after --grace. Items are kept and cannot be changed while the lock is held; without permission to read them, use --discard-items.',
  examples: [
    'lanyard var lock locks/backup -- ./backup.sh',
    'lanyard var lock locks/backup --wait 0 -- ./backup.sh',
    'lanyard var lock app/db --env --prefix APP_ --upper -- ./migrate.sh',
  ],
  service: 'scheduler',
  writes: 'after reads',
  handlesSignals: true,
  hasNoResult: true,
  args: {
    path: pathArg,
    command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }),
  },
  flags: {
    ...lockFlags,
    lockDelay: flag.duration('how long an expired lock stays locked (default 15s)'),
    discardItems: flag.boolean('remove the items of the variable instead of reading them'),
    env: flag.boolean('set the items of the variable in the environment of the command'),
    ...environmentFlags,
  },
  async run({ args: { path, command: words }, flags }, ctx) {
    checkPath(path);
    const { ttl = '15s', lockDelay = '15s' } = flags;
    const ttlMs = checkTtl(ttl) * 1000;
    if (!flags.env && (flags.prefix !== undefined || flags.upper))
      throw usage('--prefix and --upper require --env');
    if (flags.env && flags.discardItems) throw usage('--env and --discard-items exclude each other');
    await requireNamespace(ctx);
    const times = { TTL: ttl, LockDelay: lockDelay, ttlMs };
    const lock = await variableLock(path, { ...times, discardsItems: flags.discardItems }, ctx);
    const env = () => (flags.env ? environmentOf(lock.items(), path, flags, ctx) : {});
    return runWithLock(lock, words, env, flags, ctx);
  },
});

function environmentOf(
  items: Items,
  path: string,
  how: Parameters<typeof environment>[1],
  { output }: Context,
) {
  maskItems(output, items);
  return environment([{ name: path, items }], how);
}

interface LockSettings {
  readonly TTL: string;
  readonly LockDelay: string;
  readonly ttlMs: number;
  readonly discardsItems: boolean;
}

/** The lock of a variable. `items`: those that the variable had when it was locked. */
async function variableLock(
  path: string,
  { TTL, LockDelay, ttlMs, discardsItems }: LockSettings,
  ctx: Context,
): Promise<ServiceLock & { items(): Items }> {
  const ID = Buffer.from(ctx.system.random(16)).toString('hex');
  const own = { path, Lock: { ID } };
  const wanted = { path, Lock: { ID, TTL, LockDelay }, discardsItems };
  const acquirer = lockAcquirer(await ctx.api.scheduler(), wanted, ctx.system.clock);
  let items: Items = {};
  return {
    name: `variable "${path}"`,
    ttlMs,
    items: () => items,
    async acquire() {
      const result = await acquirer.acquire();
      if (result.state === 'acquired') items = result.items;
      return result.state === 'acquired';
    },
    untilFree: async (maxMs) => void (await ctx.system.sleep(Math.min(attemptMs, maxMs))),
    hold(end) {
      const client = ctx.api.scheduler({ signal: end });
      return { renew: async () => isRenewed((await client).renewLock(own)) };
    },
    async release() {
      if (!acquirer.mayBeHeld()) return;
      const client: SchedulerClient = await ctx.api.scheduler({ signal: new AbortController().signal });
      await isRenewed(client.releaseLock(own));
    },
    unreleased: () =>
      acquirer.mayNotExpire()
        ? `it may not expire; to release it, pipe {"Lock":{"ID":"${ID}"}} to \`lanyard api scheduler PUT 'var/${path}?lock-release' --data -\``
        : undefined,
  };
}

/** Whether a lock was renewed or released; not if it is not held any more. */
const isRenewed = (renewing: Promise<unknown>): Promise<boolean> =>
  renewing.then(() => true).catch(insteadOf(isLockLost, false));
