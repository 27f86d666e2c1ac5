import { conflict, LanyardError } from '../errors.ts';
import { statedPointers } from './compare.ts';
import { mapConcurrently } from './concurrently.ts';
import { execute, type Outcome } from './execute.ts';
import type { Live, Services } from './kind.ts';
import { isChange, type Operation, type Plan } from './operations.ts';
import { levelOf, memberId, objectId } from './order.ts';
import { operationLabel } from './plan.ts';
import type { Member, RecordStore, SetRecord } from './record.ts';

/** How an operation of a plan ended. */
export interface OperationResult extends Outcome {
  readonly operation: Operation;
}

export interface ApplyParts {
  readonly services: Services;
  readonly store: RecordStore | undefined;
  readonly clock: () => Date;
  /** Who applies, for the message of a second apply: host and process. */
  readonly holder: string;
  /** Aborted: no further operation is started. */
  readonly signal: AbortSignal;
  readonly onResult: (result: OperationResult) => void;
}

export interface ApplyOptions {
  /** How many operations run at once. */
  readonly parallelism: number;
  /** Operations that do not depend on a failed one are carried out. */
  readonly continues: boolean;
  /** The lock of an apply that did not end is taken over before it expires. */
  readonly stealsLock: boolean;
}

/** How long an apply that does nothing keeps its lock, in milliseconds, and when it renews it. */
const lockMs = 120_000;
const renewMs = 20_000;

/**
 * Carries out the changes of a plan, exactly these, in its order.
 *
 * @returns a result for each change, in the order of the plan.
 * @throws LanyardError conflict: a blocked operation, another apply of the set is running, or the record changed since
 * the plan. Nothing was written then.
 */
export async function applyPlan(
  plan: Plan,
  options: ApplyOptions,
  parts: ApplyParts,
): Promise<readonly OperationResult[]> {
  rejectBlocked(plan);
  const changes = plan.operations.filter(isChange);
  if (changes.length === 0 && isCurrent(plan)) return [];
  const record = await openRecord(plan, options, parts);
  const results = new Map<number, OperationResult>();
  try {
    for (const phase of phases(changes)) await runPhase(phase, results, record, options, parts);
  } finally {
    await record.close([...results.values()]);
  }
  return changes.map((operation) => results.get(operation.n) ?? { operation, status: 'not-started' });
}

/** @throws LanyardError conflict: an object that the plan may not change differs. */
function rejectBlocked({ operations }: Plan): void {
  const blocked = operations.filter(({ action }) => action === 'blocked');
  if (blocked.length === 0) return;
  const count = blocked.length === 1 ? '1 object is' : `${blocked.length} objects are`;
  throw conflict(`cannot apply: ${count} blocked`, {
    details: blocked.map((operation) => `${operationLabel(operation)}: ${operation.reason}`),
    hint: 'Nothing was written.',
  });
}

/** Whether the record already has exactly the objects of the plan. */
function isCurrent({ record, operations }: Plan): boolean {
  if (!record) return operations.length === 0 || operations.every(({ action }) => action === 'none');
  if (record.started) return false;
  const ids = new Set(record.members.map(memberId));
  return operations.every(
    (operation) => operation.action !== 'none' || !operation.live || ids.has(idOf(operation)),
  );
}

const idOf = ({ kind, identity }: Operation): string => objectId(kind, identity);

/**
 * Operations that may run at once: creations and updates by level, but after what they depend on; then deletions, one
 * level after the other.
 */
function phases(changes: readonly Operation[]): readonly (readonly Operation[])[] {
  const numbers = new Map<number, number>();
  const byPhase = new Map<number, Operation[]>();
  for (const operation of changes) {
    const level = levelOf({
      kind: operation.kind,
      identity: operation.identity,
      spec: operation.desired ?? operation.live?.spec ?? {},
    });
    const own = operation.action === 'delete' ? 10_000 - level : level;
    const phase = Math.max(own, ...operation.dependsOn.map((n) => numbers.get(n) ?? 0));
    numbers.set(operation.n, phase);
    byPhase.set(phase, [...(byPhase.get(phase) ?? []), operation]);
  }
  return [...byPhase.entries()].sort(([one], [other]) => one - other).map(([, operations]) => operations);
}

async function runPhase(
  operations: readonly Operation[],
  results: Map<number, OperationResult>,
  record: OpenRecord,
  { parallelism, continues }: ApplyOptions,
  { services, signal, onResult }: ApplyParts,
): Promise<void> {
  const endings = new Map(operations.map(({ n }) => [n, Promise.withResolvers<void>()]));
  await mapConcurrently(
    operations,
    async (operation) => {
      await Promise.all(operation.dependsOn.map((n) => endings.get(n)?.promise));
      const hasFailed = [...results.values()].some(({ status }) => status !== 'done');
      const isReady = operation.dependsOn.every((n) => results.get(n)?.status === 'done');
      const starts = !signal.aborted && isReady && (continues || !hasFailed);
      if (starts) await record.renew();
      const outcome: Outcome = starts ? await execute(operation, services) : { status: 'not-started' };
      const result = { operation, ...outcome };
      results.set(operation.n, result);
      if (starts) onResult(result);
      endings.get(operation.n)?.resolve();
    },
    parallelism,
  );
}

interface OpenRecord {
  /** Keeps the lock. @throws LanyardError conflict: another apply took it. */
  renew(): Promise<void>;
  close(results: readonly OperationResult[]): Promise<void>;
}

const noRecord: OpenRecord = { renew: async () => undefined, close: async () => undefined };

/** Writes the members of the set before the first change, so that they stay owned, and takes the lock of the set. */
async function openRecord(plan: Plan, { stealsLock }: ApplyOptions, parts: ApplyParts): Promise<OpenRecord> {
  const { store, clock, holder } = parts;
  if (!store) return noRecord;
  rejectRunning(plan, clock(), stealsLock);
  const began = clock();
  const base: SetRecord = {
    id: plan.set.id,
    name: plan.set.name,
    generation: plan.generation + 1,
    targets: plan.targets,
    members: allMembers(plan),
  };
  const lock = () => ({
    at: began.toISOString(),
    holder,
    expires: new Date(clock().getTime() + lockMs).toISOString(),
  });
  let version = await store.write({ ...base, started: lock() }, plan.recordVersion);
  let renewed = clock().getTime();
  let renewing = Promise.resolve();
  return {
    async renew() {
      renewing = renewing.then(async () => {
        if (clock().getTime() - renewed < renewMs) return;
        version = await store.write({ ...base, started: lock() }, version);
        renewed = clock().getTime();
      });
      return renewing;
    },
    async close(results) {
      const members = remainingMembers(base.members, plan, results);
      await store.write({ ...base, members, finished: clock().toISOString() }, version);
    },
  };
}

function rejectRunning({ record, set }: Plan, now: Date, stealsLock: boolean): void {
  const started = record?.started;
  if (!started || stealsLock || Date.parse(started.expires) <= now.getTime()) return;
  throw conflict(`another apply of set "${set.name}" is running: ${started.holder}, since ${started.at}`, {
    hint: `Nothing was written. If that apply is gone, use --steal-lock, or wait until ${started.expires}.`,
    retryable: true,
  });
}

/** The members of the record, and those that the plan adds. */
function allMembers({ record, operations }: Plan): readonly Member[] {
  const members = new Map((record?.members ?? []).map((member) => [memberId(member), member]));
  for (const operation of operations) {
    const member = memberOf(operation, operation.live, members.get(idOf(operation)));
    if (member) members.set(idOf(operation), member);
  }
  return [...members.values()];
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
  const outcomes = new Map(results.map((result) => [idOf(result.operation), result]));
  return members.flatMap((member): readonly Member[] => {
    const result = outcomes.get(memberId(member));
    if (result?.operation.action === 'delete') return result.status === 'done' ? [] : [member];
    if (result?.status === 'done' && result.live)
      return [memberOf(result.operation, result.live, undefined) ?? member];
    // It was never created.
    const isNew = !plan.record?.members.some((known) => memberId(known) === memberId(member));
    return isNew && result?.status === 'not-started' && result.operation.action === 'create' ? [] : [member];
  });
}

/**
 * The error of an apply that did not complete; undefined: everything was done.
 *
 * @returns the cause itself if nothing was written, else "unknown" (partially applied).
 */
export function applyError(
  results: readonly OperationResult[],
  isInterrupted: boolean,
): LanyardError | undefined {
  const open = results.filter(({ status }) => status !== 'done');
  if (open.length === 0) return undefined;
  const done = results.filter(({ status }) => status === 'done');
  const [first] = open.filter(({ error }) => error);
  const details = open.map(({ operation, status, error }) => {
    const state = status === 'not-started' ? 'not started' : status;
    return `${operationLabel(operation)}: ${state}${error ? `: ${error.message}` : ''}`;
  });
  if (isInterrupted) return new LanyardError('interrupted', 'interrupted', { details });
  const cause = first?.error;
  if (cause && done.length === 0 && open.every(({ status }) => status !== 'unknown'))
    return new LanyardError(cause.kind, cause.message, { ...cause, details: [...cause.details, ...details] });
  return new LanyardError('unknown', `partially applied: ${done.length} of ${results.length} changes`, {
    service: cause?.service,
    details,
    hint: 'Fix the cause and run the same command again to continue.',
    cause,
  });
}
