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
    'Opens the items as YAML in $VISUAL, $EDITOR or vi. Nothing is written if the text is unchanged or empty, or if the editor fails. Concurrent changes are merged; if both changed the same items, nothing is written, the items are listed and the text is kept in XDG_RUNTIME_DIR, else TMPDIR (not with --dry-run or --curl).',
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
      // In the first round `theirs` equals `base`, and the result is the edited text.
      const merged = (theirs: Items): Items => mergedThreeWay(base, mine, theirs) as Items;
      const written = await writeTogether(scheduler, path, { base, cas: indexOf(found) }, merged);
      await ctx.drafts.written(object);
      if (written.rounds > 1) ctx.io.note('The variable was changed concurrently; the changes were merged.');
      const changes = itemChanges(base, written.items);
      return {
        data: { ...metadataOf(written.variable, path), changes },
        payload: changes,
        document: [...writtenView(path, written.items, written.variable), changesTable(changes)],
      };
    } catch (error) {
      const kept = await keptText(scheduler, { path, edited, found }, error, ctx);
      // With the namespace, so that the text is not written to that of another shell.
      const line = (file: string) =>
        `lanyard var put ${path} --namespace ${namespace} --cas ${kept.cas} --in ${file}`;
      throw await ctx.drafts.keeping(
        error,
        kept.text,
        object,
        (file) => `${kept.what}; correct it, then run \`${line(file)}\` to write it and remove the file.`,
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
 * The text to keep after a failed write, and the index that a later write must expect, so that it never overwrites
 * concurrent changes. After a conflict it is the merge of both changes.
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
      what: ', merged with the concurrent changes (your version where both changed or removed an item)',
    };
  } catch {
    // With the old index, the service rejects the write if the variable was changed.
    return asEdited;
  }
}

const head = (path: string): string =>
  `# Variable ${path}. If the text is unchanged or empty, nothing is written.\n# All values are strings, exactly as written.\n`;

const unchanged = (found: Variable) => ({
  data: { ...metadataOf(found, found.Path), changes: [] },
  payload: [],
  document: unchangedView(found.Path),
});
