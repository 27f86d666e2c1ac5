import { arg, command, flag, toKebabCase, type Values } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import { fields, text } from '../output/document.ts';
import type { Plan } from '../state/operations.ts';
import { planData } from '../state/plan-data.ts';
import { planFile } from '../state/plan-file.ts';
import { incompleteText, planDocument } from '../state/plan-view.ts';
import { readSavedPlan } from '../state/read-saved-plan.ts';
import { type PlanInputs, type SavedPlan, savedPlanRows } from '../state/saved-plan.ts';
import { openSessions, type Session, type SessionOptions } from '../state/session.ts';
import { isGiven, rejectPlanFlags, sessionFlags, sessionOptions } from '../state/session-options.ts';
import { differs, plansData, plansDocument, plansMarkdown, plansRows } from '../state/set-plans.ts';
import { decrypter, decryptFlags } from '../state/undo-options.ts';
import { findUnmanaged, type UnmanagedScan } from '../state/unmanaged.ts';
import { type IgnorePattern, ignorePatterns } from '../state/unmanaged-filter.ts';
import { unmanagedData, unmanagedDocument, unmanagedSections, unreadText } from '../state/unmanaged-view.ts';

const planFlags = {
  out: flag.name('FILE', 'save the plan for "apply FILE" (mode 0600, without values of secrets)', {
    completes: 'file',
  }),
  force: flag.boolean('overwrite FILE'),
  ...sessionFlags('exit with 10 if objects cannot be read: they may differ'),
  ...decryptFlags,
  unmanaged: flag.boolean('also show objects and names in the services that no file states'),
  ignore: flag.texts(
    'PATTERN',
    'with --unmanaged: leave out objects, as KIND or "KIND NAME" with * and **; repeatable',
  ),
  showSecrets: flag.boolean('show values of secrets, on a terminal'),
  exitZero: flag.boolean('exit with 0 also with differences'),
} as const;

export default command({
  description:
    'Shows what "apply" would do: objects to create, to change by field, to adopt and, with --prune, to delete. Only fields that a file states are compared, and values of secrets are never shown; a saved plan (FILE.plan) is shown without a request. The exit code is 0 without differences and 10 with differences; before the first apply of a set, objects to adopt do not count.',
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
    paths: arg.rest(
      'FILE|DIR',
      'files or directories of one set, or one directory for each of several sets, or a saved plan; - for standard input',
      1,
      {
        completes: 'file',
      },
    ),
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
    const ignore = ignorePatterns(flags.ignore);
    if (flags.unmanaged) await requireCompleteSet(args.paths, flags, ctx);
    else if (ignore.length > 0) throw usage('--ignore requires --unmanaged');
    const sessions = await openSessions(
      { ...options, showsSecrets: flags.showSecrets },
      ctx,
      ctx.api,
      decrypter(flags, ctx.input),
    );
    for (const { plan } of sessions) for (const { message } of plan.warnings) ctx.output.warn(message);
    const [session, ...others] = sessions;
    if (!session || others.length > 0) {
      if (flags.out !== undefined)
        throw usage('--out requires one set', { hint: 'Save a plan of each set.' });
      if (flags.unmanaged) throw usage('--unmanaged requires one set', { hint: 'Run it for each set.' });
      return {
        data: plansData(sessions),
        rows: plansRows(sessions),
        document: plansDocument(sessions),
        markdown: () => plansMarkdown(sessions),
        exitCode: await exitCode(sessions, undefined, flags, ctx),
      };
    }
    const { plan, input } = session;
    if (flags.out !== undefined) {
      if (!plan.isComplete) throw incompleteError(plan);
      const content = planFile(plan, { ...options, digest: input.digest }, ctx.system.clock());
      await ctx.files.write([{ path: flags.out, content, replace: flags.force }]);
      ctx.output.note(`Saved the plan in ${flags.out}; apply it with "lanyard apply --saved ${flags.out}".`);
    }
    const scan = flags.unmanaged
      ? await scanUnmanaged({ plan, input }, { ...options, ignore }, ctx)
      : undefined;
    const planned = planData(plan);
    const data = {
      ...planned,
      complete: planned.complete && !scan?.unread.length,
      ...(scan && unmanagedData(scan)),
    };
    return {
      data,
      rows: [...data.operations, ...(data.unmanaged ?? [])],
      document: [...planDocument(data), ...(scan ? unmanagedDocument(scan) : [])],
      markdown: async () =>
        (await import('../state/plan-markdown.ts')).planMarkdown(data, {
          sections: scan ? unmanagedSections(scan) : [],
        }),
      exitCode: await exitCode(sessions, scan, flags, ctx),
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
  for (const name of [
    'out',
    'force',
    'allowUnknown',
    'unmanaged',
    'ignore',
    'identity',
    'passphrase',
    'showSecrets',
  ] as const)
    if (isGiven(flags[name])) throw usage(`--${toKebabCase(name)} cannot be combined with a saved plan`);
  for (const { message } of saved.warnings) output.warn(message);
  const rows = savedPlanRows(saved, inputs);
  return {
    data: saved,
    rows: saved.operations,
    document: [fields(rows), text(''), ...planDocument(saved)],
    markdown: async () => (await import('../state/plan-markdown.ts')).planMarkdown(saved, { rows }),
    exitCode: differs(saved) && !flags.exitZero ? 10 : 0,
  };
}

const incompleteError = (plan: Plan) => {
  const failed = plan.operations.find(({ error }) => error);
  return failed?.error ?? usage('the plan is incomplete');
};

/** @throws LanyardError usage: the files may be a part of the set, and its other objects would be reported. */
async function requireCompleteSet(
  paths: readonly string[],
  { name }: { readonly name: readonly string[] | undefined },
  { files }: Pick<Context, 'files'>,
): Promise<void> {
  if (name !== undefined)
    throw usage('--unmanaged cannot be combined with --name: no file states what it looks for');
  for (const path of paths)
    if (path === '-' || (await files.isFile(path)))
      throw usage(
        '--unmanaged requires all files of the set: use its directory, not single files or standard input',
      );
}

async function scanUnmanaged(
  { plan, input }: Pick<Session, 'plan' | 'input'>,
  options: Pick<SessionOptions, 'services' | 'kinds'> & { readonly ignore: readonly IgnorePattern[] },
  { api, output }: Context,
): Promise<UnmanagedScan> {
  const ignore = [...options.ignore, ...ignorePatterns(plan.set.ignore)];
  const scan = await findUnmanaged(plan, { ...options, ignore, documents: input.documents }, api, output);
  for (const unread of scan.unread) output.warn(unreadText(unread));
  return scan;
}

/** The one of the first error, else 10 for differences. */
async function exitCode(
  sessions: readonly Session[],
  scan: UnmanagedScan | undefined,
  flags: { readonly allowUnknown: boolean; readonly exitZero: boolean },
  { output }: Pick<Context, 'output'>,
): Promise<number> {
  const ofObjects = sessions.flatMap(({ plan }) => plan.operations.flatMap(({ error }) => error ?? []));
  const errors = [...ofObjects, ...(scan?.unread ?? []).map(({ error }) => error)];
  if (errors[0] && !flags.allowUnknown) {
    if (ofObjects.length > 0) output.warn(incompleteText(ofObjects.length));
    for (const hint of new Set(errors.flatMap((error) => error.hint ?? [])))
      output.note(await output.repeatFlags(hint));
    return errors[0].exitCode;
  }
  const isManaged = !scan || (scan.found.length === 0 && scan.unread.length === 0);
  const isSame = isManaged && !sessions.some(({ plan }) => differs(planData(plan)));
  return isSame || flags.exitZero ? 0 : 10;
}
