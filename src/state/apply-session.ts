import type { Context } from '../command/context.ts';
import { LanyardError } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import { applyError, applyPlan } from './apply.ts';
import type { OperationResult } from './execute.ts';
import type { Services } from './kind.ts';
import { applySchema, isChange, type Plan } from './operations.ts';
import { resultData, summaryOf } from './plan-data.ts';
import { appliedDocument, resultLine } from './plan-view.ts';
import type { Holder } from './record.ts';
import type { Session } from './session.ts';
import type { StateSet } from './set.ts';
import { type UndoRun, undoNote } from './undo-file.ts';

/** The services, whose running call has ten more seconds after a signal: a write is completed. */
export function completing(api: Context['api']): Services {
  const options = { graceMs: 10_000 } as const;
  return {
    settings: api.settings,
    secrets: () => api.secrets(options),
    registry: () => api.registry(options),
    scheduler: () => api.scheduler(options),
    box: () => api.box(options),
    accounts: () => api.accounts(options),
    transfer: (service) => api.transfer(service, options),
  };
}

/** What applies a set besides its plan. */
interface ApplyOptions {
  readonly undo?: UndoRun | undefined;
  /** The set, if each result says which it belongs to. */
  readonly ofSeveral?: Pick<StateSet, 'id' | 'name'>;
}

interface ApplyFlags {
  readonly parallelism: number | undefined;
  readonly continue: boolean;
  readonly stealLock: boolean;
  readonly detailedExitCode: boolean;
}

/** Carries out the plan of a set, and shows each result. @throws LanyardError: what was not done. */
export async function applySession(
  { plan, storeOf }: Session,
  flags: ApplyFlags,
  ctx: Context,
  { undo, ofSeveral }: ApplyOptions = {},
) {
  const services = completing(ctx.api);
  const results = resultWriter(plan, ctx, ofSeveral);
  const { signal } = ctx.system;
  if (signal.aborted) throw new LanyardError('interrupted', 'interrupted');
  const sayEnding = () =>
    ctx.output.note('interrupted: completing the running changes and releasing the lock of the set');
  signal.addEventListener('abort', sayEnding, { once: true });
  const applied = await applyPlan(
    plan,
    { parallelism: flags.parallelism ?? 4, continues: flags.continue, stealsLock: flags.stealLock },
    {
      services,
      store: storeOf(services),
      clock: ctx.system.clock,
      holder: await holderOf(ctx),
      isHolderGone: await ctx.system.isProcessGone(plan.record?.started ?? {}),
      signal,
      progress: ctx.output.progress,
      onResult: results.add,
      ...compact({ onStart: undo?.begin }),
    },
  ).catch(async (error: unknown) => {
    // Nothing was written.
    if (error instanceof LanyardError) await undo?.discard();
    throw error;
  });
  const undone = await undo?.end(applied);
  signal.removeEventListener('abort', sayEnding);
  const notShown = await results.end();
  const error = applyError(applied, signal.aborted);
  if (undone) ctx.output.note(undoNote(undone));
  if (error) throw error;
  if (notShown)
    throw new LanyardError('unknown', `done, but ${notShown.message}`, {
      hint: 'The changes were made. Run `lanyard plan` to verify them.',
    });
  const done = { operations: applied.results.map(({ operation }) => operation) };
  const planned = summaryOf(plan);
  const summary = {
    schema: applySchema,
    set: { id: plan.set.id, name: plan.set.name },
    summary: { ...summaryOf(done), unchanged: planned.unchanged, unknown: planned.unknown },
    ...compact({ undo: undone }),
  };
  return {
    data: { ...summary, results: applied.results.map(resultData) },
    rows: [summary],
    document: appliedDocument(applied.results, plan),
    exitCode: flags.detailedExitCode && applied.results.length > 0 ? 10 : 0,
  };
}

/**
 * Shows each result as soon as those before it in the plan are known; `end` shows the others, and returns the error if
 * one could not be shown: that does not end an apply.
 */
function resultWriter(
  plan: Plan,
  { output }: Pick<Context, 'output'>,
  set: Pick<StateSet, 'id' | 'name'> | undefined,
) {
  const waiting = new Map<number, OperationResult>();
  const order = plan.operations.filter(isChange).map(({ n }) => n);
  let shown = Promise.resolve();
  let failed: LanyardError | undefined;
  const fail = (error: unknown): void => {
    if (!(error instanceof LanyardError)) throw error;
    failed ??= error;
  };
  const show = async (result: OperationResult): Promise<void> => {
    const row = { ...(set && { set: { id: set.id, name: set.name } }), ...resultData(result) };
    const document = [resultLine(result)];
    const state = await output.showPartial({ data: row, rows: [row], document });
    if (state === 'unsupported') await output.show({ data: undefined, document });
  };
  const take = (n: number): void => {
    const result = waiting.get(n);
    waiting.delete(n);
    if (result && !failed) shown = shown.then(() => show(result)).catch(fail);
  };
  return {
    add(result: OperationResult): void {
      waiting.set(result.operation.n, result);
      for (let next = order[0]; next !== undefined && waiting.has(next); next = order[0]) {
        take(next);
        order.shift();
      }
    },
    async end(): Promise<LanyardError | undefined> {
      for (const n of order) take(n);
      await shown;
      return failed;
    },
  };
}

/** Who applies, for the message and the lock of another apply. */
async function holderOf(ctx: Context): Promise<Holder> {
  const [host = 'unknown host'] = await ctx.system.hostNames();
  const { machine, pid } = await ctx.system.localProcess();
  return { name: `${host}, process ${pid}`, ...(machine === undefined ? {} : { machine, pid }) };
}
