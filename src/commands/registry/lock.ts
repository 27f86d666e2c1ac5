import { isSessionGone } from '../../api/conditions/registry.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { InDatacenter } from '../../api/registry-datacenter.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { checkTtl, lockFlags, runWithLock } from '../../command/lock-flags.ts';
import type { ServiceLock } from '../../command/system.ts';
import { conflict, insteadOf, isNotFound, LanyardError, unlessNotFound, usage } from '../../errors.ts';
import { compact } from '../../wire/objects.ts';
import { stateIndexOf } from '../../wire/state-index.ts';
import { findEntry, orEmpty, writeDatacenterFlag } from './lib/kv.ts';
import { checkLockDelay, describeMissingNode } from './lib/session.ts';

/** `consul lock` marks the keys of its locks with these flags, and the keys of its semaphores with others. */
const lockMark = '3304740253564472344';
/** Where `consul lock PREFIX` keeps the lock. */
const lockName = '.lock';
const content = new Uint8Array();

/** Milliseconds between attempts if nothing changes: during a lock delay the key is free and cannot be locked. */
const attemptMs = 1000;
/** Milliseconds that one blocking query takes. */
const maxBlockMs = 5000;

export default command({
  description:
    'Locks KEY/.lock with a session, as "consul lock KEY" does (they exclude each other), runs the command, renews the session at half of --ttl, then releases the lock and deletes key and session. Returns the exit code of the command; 8 if the lock was not free within --wait; 6 if it was lost: then its processes get SIGTERM, and SIGKILL after --grace. CONSUL_LOCK_HELD is "true" in its environment.',
  examples: [
    'lanyard registry lock locks/backup -- ./backup.sh',
    'lanyard registry lock locks/backup --wait 0 -- ./backup.sh',
  ],
  service: 'registry',
  writes: 'after reads',
  handlesSignals: true,
  hasNoResult: true,
  changes: ['registry kv', 'registry session'],
  args: {
    key: arg.text('KEY', 'prefix of the lock, such as locks/backup', { completes: 'registry-key' }),
    command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }),
  },
  flags: {
    ...lockFlags,
    lockDelay: flag.duration('how long a lost lock cannot be acquired, up to 60s (default 15s)'),
    name: flag.name('NAME', 'name of the session (default: from command and key)'),
    node: flag.name('NAME', 'node of the session (default: the node of the agent)', {
      completes: 'registry-node',
    }),
    dc: writeDatacenterFlag,
  },
  async run({ args, flags }, ctx) {
    const { ttl = '15s', lockDelay = '15s' } = flags;
    const ttlMs = checkTtl(ttl) * 1000;
    checkLockDelay(lockDelay);
    const prefix = args.key.replace(/^\/|\/$/g, '');
    if (prefix === '') throw usage('invalid KEY "": expected a key, such as locks/backup');
    const session = {
      Name: flags.name ?? `lanyard registry lock: ${args.command[0]} at ${prefix} (${unique(ctx)})`,
      TTL: ttl,
      LockDelay: lockDelay,
      ...compact({ Node: flags.node }),
    };
    const lock = await keyLock(
      `${prefix}/${lockName}`,
      { session, ttlMs, dc: compact({ dc: flags.dc }), isUnique: flags.name === undefined },
      ctx,
    );
    return runWithLock(lock, args.command, () => ({ CONSUL_LOCK_HELD: 'true' }), flags, ctx);
  },
});

/** Distinguishes the session of this run from other sessions for the same key. */
const unique = ({ system }: Pick<Context, 'system'>): string => Buffer.from(system.random(4)).toString('hex');

interface LockSettings {
  /** Whether no other session has the name. */
  readonly isUnique: boolean;
  readonly session: {
    readonly Name: string;
    readonly TTL: string;
    readonly LockDelay: string;
    readonly Node?: string;
  };
  readonly ttlMs: number;
  readonly dc: InDatacenter;
}

/** The lock of a key by a new session. */
async function keyLock(
  key: string,
  { session, isUnique, ttlMs, dc }: LockSettings,
  ctx: Context,
): Promise<ServiceLock> {
  let id: string | undefined;
  let waiting: { readonly end: AbortSignal; readonly registry: RegistryClient } | undefined;
  const until = async (end: AbortSignal): Promise<RegistryClient> => {
    if (waiting?.end !== end) waiting = { end, registry: await ctx.api.registry({ signal: end }) };
    return waiting.registry;
  };
  const blockMs = Math.min(maxBlockMs, ttlMs / 2);
  const createOnce = async (registry: RegistryClient): Promise<string> =>
    (await registry.createExpiringSession({ ...session, ...dc }).catch(describeMissingNode)).body.ID;
  const renewOrCreate = async (registry: RegistryClient): Promise<string> => {
    // A session that waits for long must be renewed too.
    if (id !== undefined && (await isRenewed(registry, id, dc))) return id;
    id = await createOnce(registry).catch(async (error: unknown) => {
      const isLost = error instanceof LanyardError && error.kind === 'unknown';
      if (!isLost || !isUnique) throw error;
      const { body } = await registry.listSessions(dc);
      return body?.find(({ Name }) => Name === session.Name)?.ID ?? createOnce(registry);
    });
    return id;
  };
  return {
    name: `key "${key}"`,
    ttlMs,
    async acquire(end) {
      const registry = await until(end);
      const found = await findEntry(registry, key, { ...dc, consistent: '' });
      if (found && String(found.Flags) !== lockMark)
        throw conflict(`cannot lock key "${key}": the existing key is not a lock`, {
          hint: 'It may be a semaphore of `consul lock -n`. Choose another key.',
        });
      if (found?.Session !== undefined && found.Session !== id) return false;
      const acquire = await renewOrCreate(registry);
      return (await registry.lockKey({ key, content, flags: lockMark, acquire, ...dc })).body;
    },
    async untilFree(maxMs, end) {
      try {
        const registry = await until(end);
        const waitMs = Math.min(blockMs, maxMs);
        const wasFree = await untilChange(registry, key, { dc, waitMs }, (holder) => holder === undefined);
        if (wasFree) await ctx.system.sleep(Math.min(attemptMs, maxMs), end);
      } catch (error) {
        // The next attempt reports a registry that cannot be reached. --timeout may be shorter than the query.
        if (!(error instanceof LanyardError) || error.kind !== 'unreachable') throw error;
      }
    },
    hold(end) {
      const client = ctx.api.registry({ signal: end });
      const own = id ?? '';
      return {
        renew: async () => isRenewed(await client, own, dc),
        watch: async () => {
          while (!end.aborted) {
            try {
              const request = { dc, waitMs: blockMs };
              if (await untilChange(await client, key, request, (holder) => holder !== own)) return;
            } catch {
              // The renewal decides whether the lock is lost.
              await ctx.system.sleep(attemptMs, end);
            }
          }
        },
      };
    },
    async release() {
      if (id === undefined) return;
      const client = await ctx.api.registry({ signal: new AbortController().signal });
      try {
        // A session that ends with its locks starts their lock delay.
        await client
          .unlockKey({ key, content, flags: lockMark, release: id, ...dc })
          .catch(insteadOf(isSessionGone, undefined));
        await deleteFreeKey(client, key, dc);
      } finally {
        await client.deleteSession({ session: id, ...dc });
      }
    },
  };
}

const isRenewed = async (registry: RegistryClient, id: string, dc: InDatacenter): Promise<boolean> =>
  (await unlessNotFound(
    registry.renewSession({ session: id, ...dc }),
    (error) => isSessionGone(error) || isNotFound(error),
  )) !== undefined;

/** Deletes the key of a lock that is not held, as `consul lock` does. A waiting process may lock it first. */
async function deleteFreeKey(registry: RegistryClient, key: string, dc: InDatacenter): Promise<void> {
  try {
    const entry = await findEntry(registry, key, { ...dc, consistent: '' });
    if (!entry || entry.Session !== undefined || String(entry.Flags) !== lockMark) return;
    await registry.deleteKey({ key, cas: Number(entry.ModifyIndex), ...dc });
  } catch (error) {
    // The lock is released; a key that is left is harmless.
    if (!(error instanceof LanyardError)) throw error;
  }
}

/**
 * Reads the holder of a lock, and waits for a change unless it is as wanted.
 * @returns whether it was as wanted at once.
 */
async function untilChange(
  registry: RegistryClient,
  key: string,
  { dc, waitMs }: { readonly dc: InDatacenter; readonly waitMs: number },
  isWanted: (holder: string | undefined) => boolean,
): Promise<boolean> {
  const request = { key, ...dc, wait: `${Math.ceil(waitMs)}ms`, consistent: '' as const };
  const { holder, index } = await holderOf(registry, request);
  if (isWanted(holder)) return true;
  if (index !== undefined) await holderOf(registry, { ...request, index });
  return false;
}

async function holderOf(registry: RegistryClient, request: Parameters<RegistryClient['awaitKey']>[0]) {
  let index: string | undefined;
  const reading = registry.awaitKey(request).then((response) => {
    index = stateIndexOf(response.headers);
    return response;
  });
  const entries = await orEmpty(reading);
  return { holder: entries.find(({ Key }) => Key === request.key)?.Session, index };
}
