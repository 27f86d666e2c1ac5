import type { SchedulerClient } from '../../api/scheduler.ts';
import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { partiallyAppliedError } from '../../errors.ts';
import type { Items } from '../../io/variable-file.ts';
import { actionLine, type KeyChange, keyChanges, keyChangesTable } from '../../output/diff.ts';
import { type Document, text } from '../../output/document.ts';
import { mapConcurrently } from '../../wire/concurrently.ts';
import { readDirectory } from './lib/collection.ts';
import { findVariable, indexOf, itemsOf, requireNamespace } from './lib/variable.ts';
import { describeConflict, writeItems } from './lib/write-variable.ts';

interface Step {
  readonly action: 'create' | 'update' | 'unchanged';
  readonly path: string;
  readonly changes: readonly KeyChange[];
}

interface PlannedStep extends Step {
  readonly items: Items;
  /** The current index; 0: the variable does not exist. */
  readonly cas: string;
}

export default command({
  description:
    'Each file is a variable: DIR/app/db.json (or .yaml, .yml, .env) contains all items of app/db. All files are checked before any request; new and differing variables are written with check-and-set. Variables without a file are unchanged; names that start with a period are ignored.',
  examples: ['lanyard var import variables --dry-run', 'lanyard var import variables --namespace team-a'],
  service: 'scheduler',
  writes: 'after reads',
  returnsList: () => true,
  waitsForRateLimits: true,
  args: { dir: arg.text('DIR', 'directory', { completes: 'directory' }) },
  flags: { dryRun: flag.boolean('show what would be created and updated without sending any change') },
  async run({ args: { dir }, flags }, ctx) {
    const desired = await readDirectory(dir, ctx);
    await requireNamespace(ctx);
    const scheduler = await ctx.api.scheduler();
    const plan = await mapConcurrently([...desired], async ([path, items]) =>
      planStep(scheduler, path, items),
    );
    if (ctx.output.isDryRun || !flags.dryRun) await applyPlan(scheduler, plan, ctx.output);
    const steps = plan.map(({ action, path, changes }) => ({ action, path, changes }));
    return { data: steps, rows: steps, document: stepsView(steps, flags.dryRun) };
  },
});

async function planStep(scheduler: SchedulerClient, path: string, items: Items): Promise<PlannedStep> {
  const found = await findVariable(scheduler, path);
  if (!found) return { action: 'create', path, items, cas: '0', changes: [] };
  const changes = keyChanges(itemsOf(found), items);
  return { action: changes.length > 0 ? 'update' : 'unchanged', path, items, cas: indexOf(found), changes };
}

async function applyPlan(
  scheduler: SchedulerClient,
  plan: readonly PlannedStep[],
  output: Pick<Context['output'], 'sequentially'>,
): Promise<void> {
  const done: string[] = [];
  await output.sequentially(plan, async ({ action, path, items, cas }) => {
    if (action === 'unchanged') return;
    try {
      await writeItems(scheduler, { path, items, cas }).catch(
        describeConflict(scheduler, { path, items, cas, hint: retryHint }),
      );
    } catch (error) {
      throw partiallyAppliedError(error, done);
    }
    done.push(`${path}: ${action}d`);
  });
}

const retryHint = 'Run the same command again to compare and write the differences.';

const stepsView = (steps: readonly Step[], isPlan: boolean): Document =>
  steps.length === 0
    ? [text('No variable files in the directory.')]
    : steps.flatMap(({ action, path, changes }) => [
        actionLine('variable', action, path, isPlan),
        ...(changes.length > 0 ? [keyChangesTable(changes)] : []),
      ]);
