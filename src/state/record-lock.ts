import { conflict, LanyardError } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import type { ApplyOptions, ApplyParts, OperationResult } from './apply.ts';
import { statedPointers } from './compare.ts';
import type { Live } from './kind.ts';
import type { Operation, Plan } from './operations.ts';
import { memberId, objectId } from './order.ts';
import type { Member, RecordStore, SetRecord } from './record.ts';

/** How long an apply that does nothing keeps its lock, in milliseconds, and when it renews it. */
const lockMs = 120_000;
const renewMs = 20_000;

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
  { stealsLock }: Pick<ApplyOptions, 'stealsLock'>,
  { store, clock, holder }: Pick<ApplyParts, 'store' | 'clock' | 'holder'>,
): Promise<OpenRecord> {
  if (!store) return noRecord;
  rejectRunning(plan, clock(), stealsLock);
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
    started: { at, holder, expires: new Date(clock().getTime() + lockMs).toISOString() },
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
      const members = remainingMembers(base.members, plan, results);
      try {
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
    if (stored && formatJson(stored.record) === formatJson(record)) return stored.version;
    throw error;
  }
}

function rejectRunning({ record, set }: Plan, now: Date, stealsLock: boolean): void {
  const started = record?.started;
  if (!started || stealsLock || Date.parse(started.expires) <= now.getTime()) return;
  throw conflict(`another apply of set "${set.name}" is running: ${started.holder}, since ${started.at}`, {
    hint: `Nothing was written. If that apply is gone, use --steal-lock, or wait until ${started.expires}.`,
    retryable: true,
  });
}

/** The members of the record that still exist, and those that the plan adds. */
function allMembers({ record, operations, missing }: Plan): readonly Member[] {
  const members = new Map<string, Member>();
  for (const member of record?.members ?? []) {
    const id = memberId(member);
    if (!missing.has(id)) members.set(id, member);
  }
  for (const operation of operations) {
    const id = objectId(operation.kind, operation.identity);
    const known = members.get(id);
    const member = memberOf(operation, operation.live, known);
    if (member) members.set(id, known ? untilDone(known, member) : member);
  }
  return [...members.values()];
}

/**
 * A member before its operation is done. After an interruption, the fields that only the earlier files stated still get
 * their defaults back, and write-only fields are still sent.
 */
function untilDone(known: Member, { rotation: _next, ...member }: Member): Member {
  return {
    ...member,
    stated: [...new Set([...known.stated, ...member.stated])],
    ...(known.rotation === undefined ? {} : { rotation: known.rotation }),
  };
}

/** Undefined: the operation does not make its object a member. */
function memberOf(
  operation: Operation,
  live: Live | undefined,
  known: Member | undefined,
): Member | undefined {
  const { kind, identity, action, document, nextMark } = operation;
  if (!document || action === 'delete' || action === 'blocked' || action === 'unknown') return undefined;
  if (action === 'none' && !live) return undefined;
  const deletion = document.metadata.deletion ?? (kind.isProtected ? 'protect' : 'allow');
  const uid = live?.uid ?? known?.uid;
  return {
    kind: kind.name,
    scope: identity.scope,
    key: identity.key,
    ...(uid === undefined ? {} : { uid }),
    stated: statedPointers(kind.schema, document.spec),
    deletion: deletion === 'allow' ? 'allow' : 'protect',
    ...(nextMark && nextMark.rotation > 0 ? { rotation: nextMark.rotation } : {}),
  };
}

/** The members after an apply: without those that were deleted, and with the identity of those that were created. */
function remainingMembers(
  members: readonly Member[],
  plan: Plan,
  results: readonly OperationResult[],
): readonly Member[] {
  const outcomes = new Map(
    results.map((result) => [objectId(result.operation.kind, result.operation.identity), result]),
  );
  const unchanged = new Map(
    plan.operations
      .filter(({ action }) => action === 'none')
      .map((operation) => [objectId(operation.kind, operation.identity), operation]),
  );
  const before = new Map((plan.record?.members ?? []).map((member) => [memberId(member), member]));
  return members.flatMap((member): readonly Member[] => {
    const id = memberId(member);
    const result = outcomes.get(id);
    const operation = unchanged.get(id);
    if (operation) return [memberOf(operation, operation.live, before.get(id)) ?? member];
    if (!result || result.status === 'unknown') return [member];
    if (result.operation.action === 'delete') return result.status === 'done' ? [] : [member];
    if (result.status === 'done')
      return [result.live ? (memberOf(result.operation, result.live, undefined) ?? member) : member];
    // Nothing was written to it: what the record had of it before is still right.
    const old = before.get(id);
    return old ? [old] : [];
  });
}
