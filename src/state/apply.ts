import { conflict, LanyardError } from '../errors.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import { execute, type OperationResult, type Outcome } from './execute.ts';
import { errorLine, isChange, type Operation, operationLabel, type Plan } from './operations.ts';
import { objectId } from './order.ts';
import { phases } from './phases.ts';
import { type StartProgress, withProgress } from './progress.ts';
import { type OpenRecord, openRecord, type RecordOptions, type RecordParts } from './record-lock.ts';
import { isSameMember, memberOf } from './record-members.ts';

export interface ApplyParts extends RecordParts {
  /** Aborted: no further operation is started. */
  readonly signal: AbortSignal;
  readonly onResult: (result: OperationResult) => void;
  /** Called before the first write, if there is a change. */
  readonly onStart?: () => Promise<void>;
  readonly progress: StartProgress;
}

export interface ApplyOptions extends RecordOptions {
  /** How many operations run at once. */
  readonly parallelism: number;
  /** Operations that do not depend on a failed one are carried out. */
  readonly continues: boolean;
}

/** How an apply ended. */
export interface Applied {
  /** One for each change, in the order of the plan. */
  readonly results: readonly OperationResult[];
  /** The record could not be written after the changes: it still has the lock and the members of before. */
  readonly recordError: LanyardError | undefined;
}

/**
 * Carries out the changes of a plan, exactly these, in its order.
 *
 * @throws LanyardError conflict: a blocked operation, another apply of the set is running, or the record changed since
 * the plan; any other error of the first write of the record. Nothing was written then.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions, parts: ApplyParts): Promise<Applied> {
  rejectBlocked(plan);
  const changes = plan.operations.filter(isChange);
  if (changes.length === 0 && isCurrent(plan)) return { results: [], recordError: undefined };
  if (changes.length > 0) await parts.onStart?.();
  const record = await openRecord(plan, options, parts);
  const progress: Progress = { results: new Map(), hasFailed: false };
  await withProgress(parts.progress, 'applying changes', changes.length, async (count) => {
    const onResult = (result: OperationResult): void => {
      parts.onResult(result);
      count();
    };
    for (const phase of phases(changes))
      await runPhase(phase, progress, record, options, { ...parts, onResult });
  });
  const results = changes.map(
    (operation): OperationResult => progress.results.get(operation.n) ?? { operation, status: 'not-started' },
  );
  return { results, recordError: await record.close(results) };
}

/** @throws LanyardError conflict: an object that the plan may not change differs. */
export function rejectBlocked({ operations }: Plan): void {
  const blocked = operations.filter(({ action }) => action === 'blocked');
  if (blocked.length === 0) return;
  const count = blocked.length === 1 ? '1 object is' : `${blocked.length} objects are`;
  throw conflict(`cannot apply: ${count} blocked`, {
    details: blocked.map((operation) => `${operationLabel(operation)}: ${operation.reason}`),
    hint: 'Nothing was written.',
  });
}

/** Whether the record already has exactly the objects of the plan. */
function isCurrent(plan: Plan): boolean {
  const { record, operations, missing, members } = plan;
  if (!record) return operations.every(({ action }) => action === 'none');
  if (record.started || missing.size > 0) return false;
  return operations.every((operation) => {
    if (operation.action !== 'none' || !operation.live) return true;
    const known = members.get(objectId(operation.kind, operation.identity));
    return isSameMember(known, memberOf(operation, operation.live, { known, origins: plan.origins }));
  });
}

interface Progress {
  /** By the number of the operation. */
  readonly results: Map<number, OperationResult>;
  hasFailed: boolean;
}

async function runPhase(
  operations: readonly Operation[],
  progress: Progress,
  record: OpenRecord,
  { parallelism, continues }: ApplyOptions,
  { services, signal, onResult }: ApplyParts,
): Promise<void> {
  const { results } = progress;
  const endings = new Map(operations.map(({ n }) => [n, Promise.withResolvers<void>()]));
  await mapConcurrently(
    operations,
    async (operation) => {
      await Promise.all(operation.dependsOn.map((n) => endings.get(n)?.promise));
      const isReady = operation.dependsOn.every((n) => results.get(n)?.status === 'done');
      const starts = !signal.aborted && isReady && (continues || !progress.hasFailed);
      // Without the lock nothing more is written.
      const error = starts ? await record.renew() : undefined;
      const outcome: Outcome =
        starts && !error
          ? await execute(operation, services)
          : { status: 'not-started', ...(error && { error }) };
      const result = { operation, ...outcome };
      results.set(operation.n, result);
      if (outcome.status !== 'done') progress.hasFailed = true;
      if (outcome.status !== 'not-started') onResult(result);
      endings.get(operation.n)?.resolve();
    },
    parallelism,
  );
}

/** How many operations that were not started an error names. */
const maxNotStarted = 20;

/**
 * The error of an apply that did not complete; undefined: everything was done.
 *
 * @returns the cause itself if nothing was written, else "unknown" (partially applied).
 */
export function applyError(
  { results, recordError }: Applied,
  isInterrupted: boolean,
): LanyardError | undefined {
  const open = results.filter(({ status }) => status !== 'done');
  if (open.length === 0 && !recordError) return undefined;
  const details = [
    ...openDetails(open),
    ...(recordError ? [`record of the set: ${errorLine(recordError)}`] : []),
  ];
  if (isInterrupted && open.length > 0) return new LanyardError('interrupted', 'interrupted', { details });
  const done = results.length - open.length;
  const cause = open.find(({ error }) => error)?.error ?? recordError;
  const isUnwritten = done === 0 && open.every(({ status }) => status !== 'unknown');
  if (cause && isUnwritten && open.length > 0)
    return new LanyardError(cause.kind, `cannot apply: ${cause.message}`, { ...cause, details });
  const hint =
    open.length > 0
      ? 'Fix the cause and run the same command again to continue.'
      : 'Every change was made. Run the same command again to complete the record.';
  const changes = results.length === 1 ? '1 change' : `${results.length} changes`;
  const isUnknownOnly = done === 0 && open.some(({ status }) => status === 'unknown');
  const message = isUnknownOnly
    ? `outcome unknown: 0 of ${changes} confirmed`
    : `partially applied: ${done} of ${changes}`;
  return new LanyardError('unknown', message, { service: cause?.service, details, hint, cause });
}

function openDetails(open: readonly OperationResult[]): readonly string[] {
  const waiting = open.filter(({ status, error }) => status === 'not-started' && !error);
  const hidden = new Set(waiting.slice(maxNotStarted));
  return [
    ...open.flatMap((result) => {
      if (hidden.has(result)) return [];
      const state = result.status === 'not-started' ? 'not started' : result.status;
      const cause = result.error ? `: ${errorLine(result.error)}` : '';
      return [`${operationLabel(result.operation)}: ${state}${cause}`];
    }),
    ...(hidden.size > 0 ? [`${hidden.size} more: not started`] : []),
  ];
}
