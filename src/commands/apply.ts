import { arg, command, flag, type Values } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { LanyardError, usage } from '../errors.ts';
import { strong, text } from '../output/document.ts';
import { countText } from '../output/humanize.ts';
import { rejectBlocked } from '../state/apply.ts';
import { applySession, completing } from '../state/apply-session.ts';
import { announceMoves, forgetMoved } from '../state/moves.ts';
import { isChange } from '../state/operations.ts';
import { countActions } from '../state/plan.ts';
import { planData } from '../state/plan-data.ts';
import { requireSamePlan } from '../state/plan-file.ts';
import { incompleteText, planDocument } from '../state/plan-view.ts';
import { readSavedPlan } from '../state/read-saved-plan.ts';
import { openSession, openSessions, type Session, type SessionOptions } from '../state/session.ts';
import { rejectPlanFlags, sessionFlags, sessionOptions } from '../state/session-options.ts';
import { plansData, plansDocument, plansRows, setHeading, stoppedError } from '../state/set-plans.ts';
import { prepareUndo } from '../state/undo-file.ts';
import { decrypter, decryptFlags, undoFlags, undoTarget } from '../state/undo-options.ts';
import { serviceNames } from '../wire/services.ts';

const applyFlags = {
  saved: flag.boolean('accept only a saved plan, which cannot be mistaken for a directory or a document'),
  dryRun: flag.boolean('show the plan without sending any change'),
  ...sessionFlags('apply the rest if objects cannot be read'),
  parallelism: flag.integer('N', 'operations at a time (default 4)'),
  continue: flag.boolean('continue with operations that do not depend on a failed one'),
  ...undoFlags,
  ...decryptFlags,
  stealLock: flag.boolean('take over the lock of an apply that did not end'),
  detailedExitCode: flag.boolean('exit with 10 if something was changed'),
} as const;

export default command({
  description:
    'Plans, asks, and carries out these operations in the order of their dependencies. Each write is guarded by what the plan saw: by check-and-set, or by reading the object again immediately before. After a failure the exit code is 9 if something was written; the same command continues.',
  examples: [
    'lanyard apply state',
    'lanyard apply state --prune --prune-max 3 --yes',
    'lanyard apply --saved state.plan',
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
    const saved = await readSavedPlan(args.paths, ctx.files, { isRequired: flags.saved, isPrivate: true });
    if (saved) rejectPlanFlags(flags);
    if (flags.parallelism === 0) throw usage('--parallelism must be at least 1');
    const options: SessionOptions = {
      ...sessionOptions(args.paths, flags),
      ...saved?.inputs,
      showsSecrets: false,
    };
    const target = await undoTarget(flags, options.paths, ctx);
    const decrypt = decrypter(flags, ctx.input);
    const opened = saved
      ? [await openSession(options, ctx, ctx.api, decrypt)]
      : await openSessions(options, ctx, ctx.api, decrypt);
    if (target && opened.length > 1)
      throw usage('--undo requires one set', { hint: 'Apply the sets one after the other.' });
    const [first] = opened;
    if (!first) throw usage('missing argument FILE|DIR');
    const undo = target && (await prepareUndo(first.plan, target, { services: ctx.api, files: ctx.files }));
    const plan = { ...first.plan, warnings: [...first.plan.warnings, ...(undo?.warnings ?? [])] };
    const session = { ...first, plan };
    const sessions = [session, ...opened.slice(1)];
    const { input } = first;
    if (saved) requireSamePlan(saved.saved, plan, { saved: saved.inputs.digest, current: input.digest });
    const operations = sessions.flatMap((each) => each.plan.operations);
    for (const each of sessions) for (const { message } of each.plan.warnings) ctx.output.warn(message);
    const [failed, ...others] = operations.filter(({ error }) => error);
    if (failed) ctx.output.warn(incompleteText(1 + others.length));
    if (failed?.error && !flags.allowUnknown) throw failed.error;
    if (ctx.output.isDryRun || flags.dryRun) return dryRunResult(sessions);
    if (operations.some(isChange)) await confirmPlans(sessions, options, ctx);
    return sessions.length === 1
      ? applySession(session, flags, ctx, { undo })
      : applySets(sessions, flags, ctx);
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
  return { data, rows: data.operations, document: planDocument(data), exitCode };
}

/** Shows the plans and asks. Deletions by pruning are confirmed by their number, or by --prune-max. */
async function confirmPlans(
  sessions: readonly Session[],
  { prune }: SessionOptions,
  ctx: Context,
): Promise<void> {
  const [{ plan } = {}, ...others] = sessions;
  if (!plan) return;
  const document = others.length === 0 ? planDocument(planData(plan)) : plansDocument(sessions);
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
      applied.push(await applySession(session, flags, ctx, { ofSeveral: session.plan.set }));
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
