import { hasStatus } from '../../../api/conditions/any.ts';
import type { SchedulerClient } from '../../../api/scheduler.ts';
import { insteadOf, LanyardError } from '../../../errors.ts';
import type { Items } from '../../../io/variable-file.ts';
import { hasNoOwnItems, lockMarker } from '../../../wire/lock-marker.ts';
import { findVariable, indexOf, itemsOf } from './variable.ts';
import { readConflict } from './write-variable.ts';

/** A lock that this run wants. */
export interface WantedLock {
  readonly path: string;
  readonly Lock: { readonly ID: string; readonly TTL: string; readonly LockDelay: string };
  /** Replace the items with none, without reading them. */
  readonly discardsItems: boolean;
}

export interface Acquiring {
  /** `acquired`: with the items of the variable. `locked`: another process holds the lock. */
  acquire(): Promise<{ readonly state: 'acquired'; readonly items: Items } | { readonly state: 'locked' }>;
  /** Whether the lock may be held. */
  mayBeHeld(): boolean;
  /** Whether the lock, if held, may have no time to live: Nomad never ends it. */
  mayNotExpire(): boolean;
}

/** The variable that was read. */
interface Base {
  /** 0: it does not exist, or cannot be read. */
  readonly index: string;
  /** Undefined: the token may not read the variable. */
  readonly items: Items | undefined;
}

/** Attempts after changes by others, each of which costs one. */
const maxRounds = 200;
/** Attempts after lost responses. */
const maxLost = 3;
/** Milliseconds that the first write locks the variable for at least, and half of them. */
const guardMs = 30_000;
const maxStepMs = guardMs / 2;

/**
 * Acquires the lock of a variable without losing a write of others: acquiring replaces the items and has no
 * check-and-set, but a check-and-set write may carry the ID of a lock. It locks the variable with the items that were
 * read, and the holder then acquires the lock with its times (docs/adr/0031-lock-with-check-and-set.md).
 */
export function lockAcquirer(scheduler: SchedulerClient, wanted: WantedLock, clock: () => Date): Acquiring {
  const { path, Lock, discardsItems } = wanted;
  const { ID } = Lock;
  let held: 'no' | 'guarded' | 'yes' = 'no';
  let unfinished: { readonly id: string; readonly index: string; readonly sinceMs: number } | undefined;

  async function read(): Promise<Base> {
    const found = await findVariable(scheduler, path).catch(insteadOf(isForbidden, null));
    if (found === null) return { index: '0', items: undefined };
    return found ? { index: indexOf(found), items: itemsOf(found) } : { index: '0', items: {} };
  }

  /** Locks the variable, without a change of its items, unless it has changed. @returns the new base; undefined: done. */
  async function guard(base: Base): Promise<Base | 'locked' | undefined> {
    const isEmpty = base.items === undefined || hasNoOwnItems(base.items);
    const Items = isEmpty ? { [lockMarker]: ID } : (base.items ?? {});
    const before = held;
    held = 'guarded';
    try {
      await scheduler.writeVariable({ path, cas: base.index, Lock: { ID }, Items });
      return undefined;
    } catch (error) {
      if (!(error instanceof LanyardError) || error.status === undefined || error.status >= 500) throw error;
      held = before;
      const conflict = await readConflict(error, scheduler, { path, cas: base.index });
      if (!conflict) throw error;
      if (base.items === undefined) throw unreadableError(path);
      if (conflict.state !== 'locked') return read();
      return (await endUnfinished(conflict.items, conflict.index)) ? read() : 'locked';
    }
  }

  /**
   * Releases the lock of a process that ended between the two writes: the marker has its ID, and has not changed for as
   * long as the lock would live with the default times.
   */
  async function endUnfinished(items: Items | undefined, index: string): Promise<boolean> {
    const id = items?.[lockMarker];
    if (id === undefined || id === ID) return false;
    const nowMs = clock().getTime();
    if (unfinished?.index !== index) unfinished = { id, index, sinceMs: nowMs };
    if (nowMs - unfinished.sinceMs < guardMs) return false;
    await scheduler.releaseLock({ path, Lock: { ID: id } });
    return true;
  }

  async function acquireWith(items: Items): Promise<'acquired' | 'locked'> {
    try {
      await scheduler.lockVariable({ path, Lock, Items: items });
      held = 'yes';
      return 'acquired';
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      held = 'no';
      return 'locked';
    }
  }

  return {
    mayBeHeld: () => held !== 'no',
    mayNotExpire: () => held === 'guarded',
    async acquire() {
      if (discardsItems) {
        held = 'yes';
        return (await acquireWith({})) === 'acquired'
          ? { state: 'acquired', items: {} }
          : { state: 'locked' };
      }
      let base = await read();
      for (let rounds = 0, lost = 0; rounds < maxRounds; rounds += 1) {
        const startMs = clock().getTime();
        try {
          const next = await guard(base);
          if (next === 'locked') break;
          if (next) {
            base = next;
            continue;
          }
        } catch (error) {
          // The response was lost: the same write, with the same ID, is harmless after another read.
          if (!(error instanceof LanyardError && error.kind === 'unknown') || ++lost > maxLost) throw error;
          base = await read();
          continue;
        }
        if (clock().getTime() - startMs > maxStepMs) {
          base = await read();
          continue;
        }
        const { [lockMarker]: _, ...items } = base.items ?? {};
        return (await acquireWith(items)) === 'acquired' ? { state: 'acquired', items } : { state: 'locked' };
      }
      return { state: 'locked' };
    },
  };
}

const isForbidden = (error: unknown) => hasStatus(error, 403);

const unreadableError = (path: string) =>
  new LanyardError(
    'forbidden',
    `cannot lock variable "${path}": it exists, and the token has no permission to read it; its items would be lost`,
    {
      service: 'scheduler',
      status: 403,
      hint: 'Use a token with permission to read the variable, or --discard-items if it has no items to keep.',
    },
  );
