import type { SchedulerClient } from '../../api/scheduler.ts';
import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import type { Items } from '../../io/items.ts';
import { code, type Document, text } from '../../output/document.ts';
import { each, readFolder } from './collection.ts';
import { find, indexOf, itemsOf, oneNamespace } from './shared.ts';
import { changesTable } from './views.ts';
import { conflicting, type ItemChange, itemChanges, writeItems } from './write.ts';

/** What is to be done with one variable. */
interface Step {
  readonly action: 'create' | 'update' | 'unchanged';
  readonly path: string;
  readonly changes: readonly ItemChange[];
}

interface Planned extends Step {
  readonly items: Items;
  /** The index of what is there; 0: nothing is. */
  readonly cas: string;
}

export default command({
  description:
    'Each file is a variable: DIR/app/db.json (or .yaml, .yml, .env) has all items of app/db. All files are checked before anything is sent. A variable that is there and equal is left; the others are written with check-and-set. Run again, it changes nothing. Variables without a file stay; names that begin with a period are passed over.',
  examples: ['lanyard var import variables --dry-run', 'lanyard var import variables --namespace team-a'],
  service: 'scheduler',
  writes: true,
  readsFirst: true,
  givesList: () => true,
  args: { dir: arg.text('DIR', 'the folder', { completes: 'directory' }) },
  flags: { dryRun: flag.boolean('show what would be created and changed, and send no change') },
  async run({ args: { dir }, flags }, ctx) {
    const wanted = await readFolder(dir, ctx);
    await oneNamespace(ctx);
    const scheduler = await ctx.api.scheduler();
    const plan = await each([...wanted], async ([path, items]) => planned(scheduler, path, items));
    if (ctx.rehearsal || !flags.dryRun) await perform(scheduler, plan, ctx);
    const steps = plan.map(({ action, path, changes }) => ({ action, path, changes }));
    return { data: steps, rows: steps, document: stepsView(steps, flags.dryRun) };
  },
});

async function planned(scheduler: SchedulerClient, path: string, items: Items): Promise<Planned> {
  const found = await find(scheduler, path);
  if (!found) return { action: 'create', path, items, cas: '0', changes: [] };
  const changes = itemChanges(itemsOf(found), items);
  return { action: changes.length > 0 ? 'update' : 'unchanged', path, items, cas: indexOf(found), changes };
}

async function perform(
  scheduler: SchedulerClient,
  plan: readonly Planned[],
  { inTurn }: Pick<Context, 'inTurn'>,
): Promise<void> {
  const done: string[] = [];
  await inTurn(plan, async ({ action, path, items, cas }) => {
    if (action === 'unchanged') return;
    try {
      await writeItems(scheduler, { path, items, cas }).catch(
        conflicting(scheduler, { path, items, cas, hint: again }),
      );
    } catch (error) {
      throw doneInPart(error, done);
    }
    done.push(`${path}: ${action}d`);
  });
}

const again = 'The same command line compares again, and writes what differs.';

/** After some of several writes the rest failed: says what is done. */
function doneInPart(error: unknown, done: readonly string[]): unknown {
  if (!(error instanceof LanyardError) || done.length === 0) return error;
  return new LanyardError('unknown', `done in part: ${error.message}`, {
    ...{ service: error.service, status: error.status },
    details: [...done, ...error.details],
    hint: 'Once what is wrong is mended, the same command line does the rest.',
  });
}

const said = { create: 'is created', update: 'is updated', unchanged: 'is unchanged' } as const;
const would = { create: 'would be created', update: 'would be updated', unchanged: 'is unchanged' } as const;

const stepsView = (steps: readonly Step[], isPlan: boolean): Document =>
  steps.length === 0
    ? [text('There is no file of a variable in the folder.')]
    : steps.flatMap(({ action, path, changes }) => [
        text('The variable ', code(path), ` ${(isPlan ? would : said)[action]}.`),
        ...(changes.length > 0 ? [changesTable(changes)] : []),
      ]);
