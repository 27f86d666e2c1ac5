import { conflict, LanyardError } from '../errors.ts';
import type { OperationResult } from './execute.ts';
import type { Services } from './kind.ts';
import { canonicalText } from './normalize.ts';
import type { Plan } from './operations.ts';
import type { Holder, RecordStore, SetRecord, Started } from './record.ts';
import { recordData } from './record-format.ts';
import { allMembers, remainingMembers, withUids } from './record-members.ts';

/** How long an apply that does nothing keeps its lock, in milliseconds, and when it renews it. */
const lockMs = 120_000;
const renewMs = 20_000;

/** Where the record of a set is, and who writes it. */
export interface RecordParts {
  readonly services: Services;
  readonly store: RecordStore | undefined;
  readonly clock: () => Date;
  /** Who applies, for the message and the lock of a second apply. */
  readonly holder: Holder;
  /** The process of the apply that has the lock has ended; false: it runs, or on another machine. */
  readonly isHolderGone: boolean;
}

export interface RecordOptions {
  /** The lock of an apply that did not end is taken over before it expires. */
  readonly stealsLock: boolean;
}

/** The record of a set during an apply, which holds its lock. */
export interface OpenRecord {
  /** Keeps the lock. @returns why it is lost: nothing may be written any more. */
  renew(): Promise<LanyardError | undefined>;
  /** Releases the lock. @returns why the record could not be written. */
  close(results: readonly OperationResult[]): Promise<LanyardError | undefined>;
}

const noRecord: OpenRecord = { renew: async () => undefined, close: async () => undefined };

/**
 * Writes the members of the set before the first change, so that they stay owned, and takes the lock of the set.
 *
 * @throws LanyardError conflict: another apply is running, or the record was changed since the plan.
 */
export async function openRecord(
  plan: Plan,
  { stealsLock }: RecordOptions,
  { services, store, clock, holder, isHolderGone }: RecordParts,
): Promise<OpenRecord> {
  if (!store) return noRecord;
  if (!stealsLock && !isHolderGone) rejectRunning(plan, clock());
  const at = clock().toISOString();
  const base: SetRecord = {
    id: plan.set.id,
    name: plan.set.name,
    generation: plan.generation + 1,
    targets: plan.targets,
    members: allMembers(plan),
  };
  const locked = (): SetRecord => ({
    ...base,
    started: { at, ...startedBy(holder), expires: new Date(clock().getTime() + lockMs).toISOString() },
  });
  let version = await write(store, locked(), plan.recordVersion);
  let renewed = clock().getTime();
  let lost: LanyardError | undefined;
  const renewNow = async (): Promise<void> => {
    if (lost || clock().getTime() - renewed < renewMs) return;
    try {
      version = await write(store, locked(), version);
      renewed = clock().getTime();
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      // The lock is still held for a while after a failure of the network.
      if (error.kind === 'conflict' || clock().getTime() - renewed > lockMs / 2) lost = error;
    }
  };
  let renewing = Promise.resolve();
  return {
    async renew() {
      renewing = renewing.then(renewNow);
      await renewing;
      return lost;
    },
    async close(results) {
      if (lost) return lost;
      const remaining = remainingMembers(base.members, plan, results);
      try {
        const members = await withUids(remaining, plan, results, services);
        await write(store, { ...base, members, finished: clock().toISOString() }, version);
        return undefined;
      } catch (error) {
        if (error instanceof LanyardError) return error;
        throw error;
      }
    },
  };
}

/** Writes a record. If the response is lost, the record is read to see whether it was written. */
async function write(store: RecordStore, record: SetRecord, version: string | undefined): Promise<string> {
  try {
    return await store.write(record, version);
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    const stored = await store.read().catch(() => undefined);
    if (stored && textOf(stored.record) === textOf(record)) return stored.version;
    throw error;
  }
}

const textOf = (record: SetRecord): string => canonicalText(recordData(record));

const startedBy = ({ name, machine, pid }: Holder): Pick<Started, 'holder' | 'machine' | 'pid'> => ({
  holder: name,
  ...(machine === undefined || pid === undefined ? {} : { machine, pid }),
});

/** @throws LanyardError conflict: the record has the lock of another apply. */
export function rejectRunning({ record, set }: Pick<Plan, 'record' | 'set'>, now: Date): void {
  const started = record?.started;
  if (!started || Date.parse(started.expires) <= now.getTime()) return;
  throw conflict(`another apply of set "${set.name}" is running: ${started.holder}, since ${started.at}`, {
    hint: `Nothing was written. If that apply is gone, use --steal-lock, or wait until ${started.expires}.`,
    retryable: true,
  });
}
