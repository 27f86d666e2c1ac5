import { arg, command, flag, toKebabCase, type Values } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import { fields, text } from '../output/document.ts';
import { isChange, type Plan } from '../state/operations.ts';
import { type OperationData, type PlanData, planData } from '../state/plan-data.ts';
import { planFile } from '../state/plan-file.ts';
import { incompleteText, planDocument } from '../state/plan-view.ts';
import { readSavedPlan } from '../state/read-saved-plan.ts';
import { type PlanInputs, type SavedPlan, savedPlanRows } from '../state/saved-plan.ts';
import { openSession } from '../state/session.ts';
import { isGiven, rejectPlanFlags, sessionFlags, sessionOptions } from '../state/session-options.ts';

const planFlags = {
  out: flag.name('FILE', 'save the plan for "apply FILE" (mode 0600, without values of secrets)', {
    completes: 'file',
  }),
  force: flag.boolean('overwrite FILE'),
  ...sessionFlags('exit with 10 if objects cannot be read: they may differ'),
  showSecrets: flag.boolean('show values of secrets, on a terminal'),
  exitZero: flag.boolean('exit with 0 also with differences'),
} as const;

export default command({
  description:
    'Shows what "apply" would do: objects to create, to change by field, to adopt and, with --prune, to delete. Only fields that a file states are compared, and values of secrets are never shown. A saved plan (FILE.plan) is shown without a request. With -o markdown the plan is a comment for a pull request. The exit code is 0 without differences and 10 with differences; before the first apply of a set, objects to adopt do not count.',
  examples: [
    'lanyard plan state',
    'lanyard plan state --out state.plan',
    'lanyard plan state --prune -o json',
    'lanyard plan state -o markdown',
    'lanyard plan state.plan',
  ],
  hasMarkdown: true,
  readsActive: true,
  waitsForRateLimits: true,
  namespaceOf: 'secrets',
  args: {
    paths: arg.rest('FILE|DIR', 'files or directories of one set, or a saved plan; - for standard input', 1, {
      completes: 'file',
    }),
  },
  flags: planFlags,
  async run({ args, flags }, ctx) {
    const saved = await readSavedPlan(args.paths, ctx.files);
    if (saved) return showSavedPlan(saved, flags, ctx);
    if (flags.showSecrets && flags.out !== undefined)
      throw usage('--show-secrets cannot be combined with --out', {
        hint: 'A saved plan has no values of secrets.',
      });
    if (flags.showSecrets && !(ctx.output.isTerminal && ctx.input.isInteractive()))
      throw usage('--show-secrets requires a terminal');
    if (flags.out !== undefined) await ctx.files.checkWritable([{ path: flags.out, replace: flags.force }]);
    const options = sessionOptions(args.paths, flags);
    const { plan, input } = await openSession({ ...options, showsSecrets: flags.showSecrets }, ctx, ctx.api);
    for (const { message } of plan.warnings) ctx.output.warn(message);
    if (flags.out !== undefined) {
      if (!plan.isComplete) throw incompleteError(plan);
      const content = planFile(plan, { ...options, digest: input.digest }, ctx.system.clock());
      await ctx.files.write([{ path: flags.out, content, replace: flags.force }]);
      ctx.output.note(`Saved the plan in ${flags.out}; apply it with "lanyard apply --saved ${flags.out}".`);
    }
    const data = planData(plan);
    return {
      data,
      rows: data.operations,
      document: planDocument(data),
      markdown: async () => (await import('../state/plan-markdown.ts')).planMarkdown(data),
      exitCode: await exitCode(plan, data, flags, ctx),
    };
  },
});

/** Shows the content of a saved plan. @throws LanyardError usage: a flag that needs the files or the services. */
function showSavedPlan(
  { saved, inputs }: { readonly saved: SavedPlan; readonly inputs: PlanInputs },
  flags: Values<typeof planFlags>,
  { output }: Pick<Context, 'output'>,
) {
  rejectPlanFlags(flags);
  for (const name of ['out', 'force', 'allowUnknown', 'showSecrets'] as const)
    if (isGiven(flags[name])) throw usage(`--${toKebabCase(name)} cannot be combined with a saved plan`);
  for (const { message } of saved.warnings) output.warn(message);
  const rows = savedPlanRows(saved, inputs);
  return {
    data: saved,
    rows: saved.operations,
    document: [fields(rows), text(''), ...planDocument(saved)],
    markdown: async () => (await import('../state/plan-markdown.ts')).planMarkdown(saved, { rows }),
    exitCode: hasDifferences(saved) && !flags.exitZero ? 10 : 0,
  };
}

const incompleteError = (plan: Plan) => {
  const failed = plan.operations.find(({ error }) => error);
  return failed?.error ?? usage('the plan is incomplete');
};

async function exitCode(
  plan: Plan,
  data: PlanData,
  flags: { readonly allowUnknown: boolean; readonly exitZero: boolean },
  { output }: Pick<Context, 'output'>,
): Promise<number> {
  const errors = plan.operations.flatMap(({ error }) => error ?? []);
  if (errors[0] && !flags.allowUnknown) {
    output.warn(incompleteText(errors.length));
    for (const hint of new Set(errors.flatMap((error) => error.hint ?? [])))
      output.note(await output.repeatFlags(hint));
    return errors[0].exitCode;
  }
  return hasDifferences(data) && !flags.exitZero ? 10 : 0;
}

function hasDifferences({ operations, set }: Pick<PlanData, 'operations' | 'set'>): boolean {
  // Before its first apply, a set owns nothing: objects that are as stated are no differences.
  const isAdopted = ({ action }: Pick<OperationData, 'action'>): boolean =>
    action === 'adopt' && set.generation === 0;
  return operations.some(
    (operation) =>
      (isChange(operation) && !isAdopted(operation)) ||
      operation.action === 'blocked' ||
      operation.action === 'unknown',
  );
}
