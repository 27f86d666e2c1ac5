import { arg, command, flag, type Values } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { LanyardError, usage } from '../errors.ts';
import { countText } from '../output/humanize.ts';
import { applyError, applyPlan } from '../state/apply.ts';
import type { OperationResult } from '../state/execute.ts';
import type { Services } from '../state/kind.ts';
import { applySchema, isChange, type Plan } from '../state/operations.ts';
import { countActions } from '../state/plan.ts';
import { planData, resultData, summaryOf } from '../state/plan-data.ts';
import { isPlanFile, parsePlanFile, requireSamePlan } from '../state/plan-file.ts';
import { appliedDocument, incompleteText, planDocument, resultLine } from '../state/plan-view.ts';
import type { Holder } from '../state/record.ts';
import { openSession, type Session, type SessionOptions } from '../state/session.ts';
import { rejectPlanFlags, sessionFlags, sessionOptions } from '../state/session-options.ts';
import { serviceNames } from '../wire/services.ts';

const applyFlags = {
  dryRun: flag.boolean('show the plan without sending any change'),
  ...sessionFlags('apply the rest if objects cannot be read'),
  parallelism: flag.integer('N', 'operations at a time (default 4)'),
  continue: flag.boolean('continue with operations that do not depend on a failed one'),
  stealLock: flag.boolean('take over the lock of an apply that did not end'),
  detailedExitCode: flag.boolean('exit with 10 if something was changed'),
} as const;

export default command({
  description:
    'Plans, asks, and carries out these operations in the order of their dependencies. Each write is guarded by what the plan saw: by check-and-set, or by reading the object again immediately before. After a failure the exit code is 9 if something was written; the same command continues.',
  examples: [
    'lanyard apply state',
    'lanyard apply state --prune --prune-max 3 --yes',
    'lanyard apply state.plan',
  ],
  namespaceOf: 'secrets',
  writes: 'after reads',
  handlesSignals: true,
  waitsForRateLimits: true,
  changes: [...serviceNames, 'files'],
  args: {
    paths: arg.rest('FILE|DIR', 'files or directories of one set, or a saved plan', 1, { completes: 'file' }),
  },
  flags: applyFlags,
  async run({ args, flags }, ctx) {
    const saved = await readSavedPlan(args.paths, ctx);
    if (saved) rejectPlanFlags(flags);
    if (flags.parallelism === 0) throw usage('--parallelism must be at least 1');
    const options: SessionOptions = {
      ...sessionOptions(args.paths, flags),
      ...saved?.inputs,
      showsSecrets: false,
    };
    const session = await openSession(options, ctx, ctx.api);
    const { plan, input } = session;
    if (saved) requireSamePlan(saved.saved, plan, { saved: saved.inputs.digest, current: input.digest });
    for (const { message } of plan.warnings) ctx.output.warn(message);
    const [failed, ...others] = plan.operations.filter(({ error }) => error);
    if (failed) ctx.output.warn(incompleteText(1 + others.length));
    if (failed?.error && !flags.allowUnknown) throw failed.error;
    const hasChanges = plan.operations.some(isChange);
    const isBlocked = plan.operations.some(({ action }) => action === 'blocked');
    if (ctx.output.isDryRun || flags.dryRun)
      return {
        data: planData(plan),
        rows: planData(plan).operations,
        document: planDocument(plan),
        exitCode: hasChanges || isBlocked ? 10 : 0,
      };
    if (hasChanges) await confirmPlan(plan, options, ctx);
    return applySession(session, flags, ctx);
  },
});

async function readSavedPlan(paths: readonly string[], ctx: Context) {
  const [path = '', ...others] = paths;
  if (!paths.some(isPlanFile)) return undefined;
  if (others.length > 0) throw usage('a saved plan cannot be combined with other files');
  return parsePlanFile(await ctx.files.readText(path, 'the saved plan', maxPlanBytes), path);
}

const maxPlanBytes = 64 * 1024 * 1024;

/** Shows the plan and asks. Deletions by pruning are confirmed by their number, or by --prune-max. */
async function confirmPlan(plan: Plan, { prune }: SessionOptions, ctx: Context): Promise<void> {
  await ctx.output.show({ data: undefined, document: planDocument(plan) });
  // Such a plan is rejected.
  if (plan.operations.some(({ action }) => action === 'blocked')) return;
  const { delete: deletions } = countActions(plan.operations);
  const changes = plan.operations.filter(isChange).length;
  if (prune && deletions > 0 && prune.max === undefined) {
    if (!ctx.input.isInteractive())
      throw usage(
        `cannot prompt to confirm ${countText(deletions, 'deletion')}: standard input is not a terminal`,
        { hint: `Nothing was changed. Use --prune-max ${deletions} --yes.` },
      );
    const typed = await ctx.input.ask(`Type the number of objects to delete (${deletions}): `);
    if (typed.trim() !== String(deletions))
      throw new LanyardError('interrupted', 'not confirmed; nothing was done');
  }
  await ctx.input.confirm(`Apply ${countText(changes, 'change')} to set "${plan.set.name}"?`);
}

/** The services, whose running call has ten more seconds after a signal: a write is completed. */
function completing(api: Context['api']): Services {
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

async function applySession({ plan, storeOf }: Session, flags: Values<typeof applyFlags>, ctx: Context) {
  const services = completing(ctx.api);
  const results = resultWriter(plan, ctx);
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
    },
  );
  signal.removeEventListener('abort', sayEnding);
  const notShown = await results.end();
  const error = applyError(applied, signal.aborted);
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
function resultWriter(plan: Plan, { output }: Pick<Context, 'output'>) {
  const waiting = new Map<number, OperationResult>();
  const order = plan.operations.filter(isChange).map(({ n }) => n);
  let shown = Promise.resolve();
  let failed: LanyardError | undefined;
  const fail = (error: unknown): void => {
    if (!(error instanceof LanyardError)) throw error;
    failed ??= error;
  };
  const show = async (result: OperationResult): Promise<void> => {
    const row = resultData(result);
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
