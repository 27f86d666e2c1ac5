import { arg, command, flag, type Values } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { LanyardError, usage } from '../errors.ts';
import { strong, text } from '../output/document.ts';
import { countText } from '../output/humanize.ts';
import { applyError, applyPlan, rejectBlocked } from '../state/apply.ts';
import type { OperationResult } from '../state/execute.ts';
import type { Services } from '../state/kind.ts';
import { announceMoves, forgetMoved } from '../state/moves.ts';
import { applySchema, isChange, type Plan } from '../state/operations.ts';
import { countActions } from '../state/plan.ts';
import { planData, resultData, summaryOf } from '../state/plan-data.ts';
import { isPlanFile, parsePlanFile, requireSamePlan } from '../state/plan-file.ts';
import { appliedDocument, incompleteText, planDocument, resultLine } from '../state/plan-view.ts';
import type { Holder } from '../state/record.ts';
import { openSession, openSessions, type Session, type SessionOptions } from '../state/session.ts';
import { rejectPlanFlags, sessionFlags, sessionOptions } from '../state/session-options.ts';
import type { StateSet } from '../state/set.ts';
import { plansData, plansDocument, plansRows, setHeading, stoppedError } from '../state/set-plans.ts';
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
    paths: arg.rest(
      'FILE|DIR',
      'files or directories of one set, one directory for each of several sets, or a saved plan',
      1,
      { completes: 'file' },
    ),
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
    const sessions = saved
      ? [await openSession(options, ctx, ctx.api)]
      : await openSessions(options, ctx, ctx.api);
    const [session] = sessions;
    if (!session) throw usage('missing argument FILE|DIR');
    const { plan, input } = session;
    if (saved) requireSamePlan(saved.saved, plan, { saved: saved.inputs.digest, current: input.digest });
    const operations = sessions.flatMap((each) => each.plan.operations);
    for (const each of sessions) for (const { message } of each.plan.warnings) ctx.output.warn(message);
    const [failed, ...others] = operations.filter(({ error }) => error);
    if (failed) ctx.output.warn(incompleteText(1 + others.length));
    if (failed?.error && !flags.allowUnknown) throw failed.error;
    if (ctx.output.isDryRun || flags.dryRun) return dryRunResult(sessions);
    if (operations.some(isChange)) await confirmPlans(sessions, options, ctx);
    return sessions.length === 1 ? applySession(session, flags, ctx) : applySets(sessions, flags, ctx);
  },
});

function dryRunResult(sessions: readonly Session[]) {
  const isLeft = ({ plan: { operations, leaving } }: Session): boolean =>
    leaving.length > 0 || operations.some((each) => isChange(each) || each.action === 'blocked');
  const exitCode = sessions.some(isLeft) ? 10 : 0;
  const [session, ...others] = sessions;
  if (!session || others.length > 0)
    return {
      data: plansData(sessions),
      rows: plansRows(sessions),
      document: plansDocument(sessions),
      exitCode,
    };
  const data = planData(session.plan);
  return { data, rows: data.operations, document: planDocument(session.plan), exitCode };
}

async function readSavedPlan(paths: readonly string[], ctx: Context) {
  const [path = '', ...others] = paths;
  if (!paths.some(isPlanFile)) return undefined;
  if (others.length > 0) throw usage('a saved plan cannot be combined with other files');
  return parsePlanFile(await ctx.files.readText(path, 'the saved plan', maxPlanBytes), path);
}

const maxPlanBytes = 64 * 1024 * 1024;

/** Shows the plans and asks. Deletions by pruning are confirmed by their number, or by --prune-max. */
async function confirmPlans(
  sessions: readonly Session[],
  { prune }: SessionOptions,
  ctx: Context,
): Promise<void> {
  const [{ plan } = {}, ...others] = sessions;
  if (!plan) return;
  const document = others.length === 0 ? planDocument(plan) : plansDocument(sessions);
  await ctx.output.show({ data: undefined, document });
  const operations = sessions.flatMap((each) => each.plan.operations);
  // Such a plan is rejected.
  if (operations.some(({ action }) => action === 'blocked')) return;
  const { delete: deletions } = countActions(operations);
  const changes = operations.filter(isChange).length;
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
  const where = others.length === 0 ? `set "${plan.set.name}"` : `${sessions.length} sets`;
  await ctx.input.confirm(`Apply ${countText(changes, 'change')} to ${where}?`);
}

/**
 * Applies sets one after the other, and stops at the first that fails. Members that move are noted in the record of
 * their set before, and leave it afterwards, so that an interruption at any time leaves each object with an owner.
 */
async function applySets(sessions: readonly Session[], flags: Values<typeof applyFlags>, ctx: Context) {
  for (const { plan } of sessions) rejectBlocked(plan);
  const services = completing(ctx.api);
  const access = async ({ plan, storeOf }: Session) => ({
    store: storeOf(services),
    clock: ctx.system.clock,
    ignoresLock: flags.stealLock || (await ctx.system.isProcessGone(plan.record?.started ?? {})),
  });
  const announced: Session[] = [];
  for (const session of sessions)
    announced.push({ ...session, plan: await announceMoves(session.plan, await access(session)) });
  const applied: Awaited<ReturnType<typeof applySession>>[] = [];
  const step = async (index: number, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      const wrote = applied.some(({ data }) => data.results.length > 0);
      const [set, ...others] = sessions.slice(index).map(({ plan }) => plan.set.name);
      throw stoppedError(error, { set, others: applied.length === sessions.length ? [] : others, wrote });
    }
  };
  for (const [index, session] of announced.entries())
    await step(index, async () => {
      await ctx.output.show({ data: undefined, document: [setHeading(session)] });
      applied.push(await applySession(session, flags, ctx, session.plan.set));
    });
  for (const [index, session] of announced.entries())
    await step(index, async () => forgetMoved(session.plan, await access(session)));
  return {
    data: { applied: applied.map(({ data }) => data) },
    rows: applied.flatMap(({ rows }) => rows),
    document: applied.flatMap(({ document }, index) => [
      text(strong(`Set "${sessions[index]?.plan.set.name}"`)),
      ...document,
    ]),
    exitCode: applied.some(({ exitCode }) => exitCode === 10) ? 10 : 0,
  };
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

/** @param ofSeveral the set, if each result says which it belongs to */
async function applySession(
  { plan, storeOf }: Session,
  flags: Values<typeof applyFlags>,
  ctx: Context,
  ofSeveral?: StateSet,
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
