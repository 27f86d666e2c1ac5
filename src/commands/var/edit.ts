import type { SchedulerClient, Variable } from '../../api/scheduler.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import type { Items } from '../../io/items.ts';
import { mergedThreeWay, same } from '../../output/changes.ts';
import {
  checkItems,
  checkPath,
  find,
  indexOf,
  itemsOf,
  mask,
  missing,
  oneNamespace,
  pathArg,
} from './shared.ts';
import { changesTable, unchangedView, writtenView } from './views.ts';
import { itemChanges, metadataOf, writeTogether } from './write.ts';

export default command({
  description:
    'Opens the items as YAML in $VISUAL, else $EDITOR, else vi, in a file that only you can read and that is removed afterwards. Nothing is written if the text is unchanged or empty, or if the editor fails. When others changed the variable meanwhile, what they changed stays, unless both changed the same items: then nothing is written, those items are named, and the text is kept (in XDG_RUNTIME_DIR, else TMPDIR; not with --dry-run or --curl).',
  examples: ['lanyard var edit app/db', "EDITOR='code --wait' lanyard var edit app/db"],
  service: 'scheduler',
  writes: true,
  readsFirst: true,
  givesList: () => true,
  patient: true,
  args: { path: pathArg },
  flags: {},
  async run({ args: { path } }, ctx) {
    checkPath(path);
    const namespace = await oneNamespace(ctx);
    const scheduler = await ctx.api.scheduler();
    const { body: found } = await scheduler.readVariable({ path }).catch(missing(path));
    const base = itemsOf(found);
    mask(ctx.io, base);
    const content = `${head(path)}${await ctx.drafts.write(base)}`;
    const edited = await ctx.drafts.edit(content);
    if (edited === undefined) return unchanged(found);
    const object = { service: 'scheduler', name: path } as const;
    try {
      const mine = await ctx.drafts.readItems(edited, 'the edited text');
      checkItems('the edited text', mine);
      if (same(base, mine)) return unchanged(found);
      // On the first round theirs is what was read, and what comes out is the text as it was edited.
      const merged = (theirs: Items): Items => mergedThreeWay(base, mine, theirs) as Items;
      const written = await writeTogether(scheduler, path, { base, cas: indexOf(found) }, merged);
      await ctx.drafts.written(object);
      if (written.rounds > 1) ctx.io.note('others changed the variable meanwhile; what they changed stays');
      const changes = itemChanges(base, written.items);
      return {
        data: { ...metadataOf(written.variable, path), changes },
        payload: changes,
        document: [...writtenView(path, written.items, written.variable), changesTable(changes)],
      };
    } catch (error) {
      const kept = await keptText(scheduler, { path, edited, found }, error, ctx);
      // With its namespace: the text must not go to the variable of another one.
      const line = (file: string) =>
        `lanyard var put ${path} --namespace ${namespace} --cas ${kept.cas} --in ${file}`;
      throw await ctx.drafts.keeping(
        error,
        kept.text,
        object,
        (file) => `${kept.what}; once it is right, "${line(file)}" writes it and removes the file.`,
      );
    }
  },
});

interface Edited {
  readonly path: string;
  readonly edited: string;
  readonly found: Variable;
}

/**
 * What is kept of a text that could not be written, and the index that writing it later has to expect, so that it
 * never takes the place of what others wrote. After a conflict it is what both made of the items together.
 */
async function keptText(
  scheduler: SchedulerClient,
  { path, edited, found }: Edited,
  error: unknown,
  ctx: Pick<Context, 'drafts' | 'io'>,
): Promise<{ readonly text: string; readonly cas: string; readonly what: string }> {
  const asEdited = { text: edited, cas: indexOf(found), what: '' };
  if (!(error instanceof LanyardError) || error.kind !== 'conflict') return asEdited;
  try {
    const there = await find(scheduler, path);
    if (!there) return { ...asEdited, cas: '0' };
    const theirs = itemsOf(there);
    mask(ctx.io, theirs);
    const mine = await ctx.drafts.readItems(edited, 'the edited text');
    const items = mergedThreeWay(itemsOf(found), mine, theirs);
    return {
      text: `${head(path)}${await ctx.drafts.write(items)}`,
      cas: indexOf(there),
      what: ', with what others changed; what both changed or removed is as you left it',
    };
  } catch {
    // Then the index is the one of old, and the service refuses it where it is not that any more.
    return asEdited;
  }
}

const head = (path: string): string =>
  `# The variable ${path}. Left as it is, or emptied, nothing is written.\n# Every value is text, as it is written.\n`;

const unchanged = (found: Variable) => ({
  data: { ...metadataOf(found, found.Path), changes: [] },
  payload: [],
  document: unchangedView(found.Path),
});
