import { arg, command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import type { Plan } from '../state/operations.ts';
import { planData } from '../state/plan-data.ts';
import { planFile } from '../state/plan-file.ts';
import { incompleteText, planDocument } from '../state/plan-view.ts';
import { openSessions, type Session } from '../state/session.ts';
import { sessionFlags, sessionOptions } from '../state/session-options.ts';
import { differs, plansData, plansDocument, plansRows } from '../state/set-plans.ts';

export default command({
  description:
    'Shows what "apply" would do: objects to create, to change by field, to adopt and, with --prune, to delete. Only fields that a file states are compared, and values of secrets are never shown. The exit code is 0 without differences and 10 with differences; before the first apply of a set, objects to adopt do not count.',
  examples: [
    'lanyard plan state',
    'lanyard plan state --out state.plan',
    'lanyard plan state --prune -o json',
  ],
  readsActive: true,
  waitsForRateLimits: true,
  namespaceOf: 'secrets',
  args: {
    paths: arg.rest(
      'FILE|DIR',
      'files or directories of one set, or one directory for each of several sets; - for standard input',
      1,
      {
        completes: 'file',
      },
    ),
  },
  flags: {
    out: flag.name('FILE', 'save the plan for "apply FILE" (mode 0600, without values of secrets)', {
      completes: 'file',
    }),
    force: flag.boolean('overwrite FILE'),
    ...sessionFlags('exit with 10 if objects cannot be read: they may differ'),
    showSecrets: flag.boolean('show values of secrets, on a terminal'),
    exitZero: flag.boolean('exit with 0 also with differences'),
  },
  async run({ args, flags }, ctx) {
    if (flags.showSecrets && flags.out !== undefined)
      throw usage('--show-secrets cannot be combined with --out', {
        hint: 'A saved plan has no values of secrets.',
      });
    if (flags.showSecrets && !(ctx.output.isTerminal && ctx.input.isInteractive()))
      throw usage('--show-secrets requires a terminal');
    if (flags.out !== undefined) await ctx.files.checkWritable([{ path: flags.out, replace: flags.force }]);
    const options = sessionOptions(args.paths, flags);
    const sessions = await openSessions({ ...options, showsSecrets: flags.showSecrets }, ctx, ctx.api);
    for (const { plan } of sessions) for (const { message } of plan.warnings) ctx.output.warn(message);
    const [session, ...others] = sessions;
    if (!session || others.length > 0) {
      if (flags.out !== undefined)
        throw usage('--out requires one set', { hint: 'Save a plan of each set.' });
      return {
        data: plansData(sessions),
        rows: plansRows(sessions),
        document: plansDocument(sessions),
        exitCode: await exitCodeOf(sessions, flags, ctx),
      };
    }
    const { plan, input } = session;
    if (flags.out !== undefined) {
      if (!plan.isComplete) throw incompleteError(plan);
      const content = planFile(plan, { ...options, digest: input.digest });
      await ctx.files.write([{ path: flags.out, content, replace: flags.force }]);
      ctx.output.note(`Saved the plan in ${flags.out}; apply it with "lanyard apply ${flags.out}".`);
    }
    const data = planData(plan);
    return {
      data,
      rows: data.operations,
      document: planDocument(plan),
      exitCode: await exitCodeOf(sessions, flags, ctx),
    };
  },
});

const incompleteError = (plan: Plan) => {
  const failed = plan.operations.find(({ error }) => error);
  return failed?.error ?? usage('the plan is incomplete');
};

/** The one of the first error, else 10 for differences. */
async function exitCodeOf(
  sessions: readonly Session[],
  flags: { readonly allowUnknown: boolean; readonly exitZero: boolean },
  { output }: Pick<Context, 'output'>,
): Promise<number> {
  const errors = sessions.flatMap(({ plan }) => plan.operations.flatMap(({ error }) => error ?? []));
  if (errors[0] && !flags.allowUnknown) {
    output.warn(incompleteText(errors.length));
    for (const hint of new Set(errors.flatMap((error) => error.hint ?? [])))
      output.note(await output.repeatFlags(hint));
    return errors[0].exitCode;
  }
  return sessions.some(({ plan }) => differs(plan)) && !flags.exitZero ? 10 : 0;
}
