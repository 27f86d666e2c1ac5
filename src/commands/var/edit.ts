import type { Variable } from '../../api/scheduler.ts';
import { command } from '../../command.ts';
import type { Items } from '../../io/items.ts';
import { mergedThreeWay, same } from '../../output/changes.ts';
import { checkItems, checkPath, indexOf, itemsOf, mask, missing, oneNamespace, pathArg } from './shared.ts';
import { changesTable, unchangedView, writtenView } from './views.ts';
import { itemChanges, metadataOf, writeTogether } from './write.ts';

export default command({
  description:
    'Opens the items as YAML in $VISUAL, else $EDITOR, else vi, in a file that only you can read and that is gone afterwards. Nothing is written when the text is left as it was or emptied, or when the editor fails. When others changed the variable meanwhile, what they changed stays, unless both changed the same items: then nothing is written, those items are named, and the text is kept.',
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
    try {
      const mine = await ctx.drafts.readItems(edited, 'the edited text');
      checkItems('the edited text', mine);
      if (same(base, mine)) return unchanged(found);
      // On the first round theirs is what was read, and what comes out is the text as it was edited.
      const merged = (theirs: Items): Items => mergedThreeWay(base, mine, theirs) as Items;
      const written = await writeTogether(scheduler, path, { base, cas: indexOf(found) }, merged);
      if (written.rounds > 1) ctx.io.note('others changed the variable meanwhile; what they changed stays');
      const changes = itemChanges(base, written.items);
      return {
        data: { ...metadataOf(written.variable, path), changes },
        payload: changes,
        document: [...writtenView(path, written.items, written.variable), changesTable(changes)],
      };
    } catch (error) {
      // With its namespace: the text must not go to the variable of another one.
      const line = (file: string) => `lanyard var put ${path} --namespace ${namespace} --in ${file}`;
      throw await ctx.drafts.keeping(
        error,
        edited,
        (file) => `; once it is right, "${line(file)}" writes it. Remove it then: it has the values.`,
      );
    }
  },
});

const head = (path: string): string =>
  `# The variable ${path}. Left as it is, or emptied, nothing is written.\n# Every value is text, as it is written.\n`;

const unchanged = (found: Variable) => ({
  data: { ...metadataOf(found, found.Path), changes: [] },
  payload: [],
  document: unchangedView(found.Path),
});
