import type { SchedulerClient, Variable } from '../../api/scheduler.ts';
import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError } from '../../errors.ts';
import type { Items } from '../../io/variable-file.ts';
import { isEqual, keyChanges, keyChangesTable, mergeThreeWay } from '../../output/diff.ts';
import {
  checkItems,
  checkPath,
  findVariable,
  indexOf,
  itemsOf,
  maskItems,
  pathArg,
  requireNamespace,
  variableNotFoundError,
} from './lib/variable.ts';
import { unchangedView, writtenView } from './lib/views.ts';
import { metadataOf, writeMerged } from './lib/write-variable.ts';

export default command({
  description:
    'Opens the items as YAML in $VISUAL, $EDITOR or vi. Nothing is written if the text is unchanged or empty, or if the editor fails. Concurrent changes are merged; if both changed the same items, nothing is written, the items are listed and the text is saved in XDG_RUNTIME_DIR, else TMPDIR (not with --dry-run or --curl).',
  examples: ['lanyard var edit app/db', "EDITOR='code --wait' lanyard var edit app/db"],
  service: 'scheduler',
  writes: 'after reads',
  returnsList: () => true,
  handlesSignals: true,
  args: { path: pathArg },
  async run({ args: { path } }, ctx) {
    checkPath(path);
    const namespace = await requireNamespace(ctx);
    const scheduler = await ctx.api.scheduler();
    const { body: found } = await scheduler.readVariable({ path }).catch(variableNotFoundError(path));
    const base = itemsOf(found);
    maskItems(ctx.output, base);
    const content = `${headerComment(path)}${await ctx.input.yamlEditor.stringify(base)}`;
    const edited = await ctx.input.yamlEditor.edit(content);
    if (edited === undefined) return unchanged(found);
    const object = { service: 'scheduler', name: path } as const;
    try {
      const mine = await ctx.input.yamlEditor.parseItems(edited, 'the edited text');
      checkItems('the edited text', mine);
      if (isEqual(base, mine)) return unchanged(found);
      // In the first round `theirs` equals `base`, and the result is the edited text.
      const merged = (theirs: Items): Items => mergeThreeWay(base, mine, theirs) as Items;
      const written = await writeMerged(scheduler, path, { base, cas: indexOf(found) }, merged);
      await ctx.input.yamlEditor.noteSaved(object);
      if (written.rounds > 1)
        ctx.output.note('The variable was changed concurrently; the changes were merged.');
      const changes = keyChanges(base, written.items);
      return {
        data: { ...metadataOf(written.variable, path), changes },
        payload: changes,
        document: [...writtenView(path, written.items, written.variable), keyChangesTable(changes)],
      };
    } catch (error) {
      const saved = await saveEdits(scheduler, { path, edited, found }, error, ctx);
      // With the namespace, so that the text is not written to the namespace of another shell.
      const line = (file: string) =>
        `lanyard var put ${path} --namespace ${namespace} --cas ${saved.cas} --in ${file}`;
      throw await ctx.input.yamlEditor.saveAfterFailure(
        error,
        saved.text,
        object,
        (file) => `${saved.what}; correct it, then run \`${line(file)}\` to write it and remove the file.`,
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
async function saveEdits(
  scheduler: SchedulerClient,
  { path, edited, found }: Edited,
  error: unknown,
  ctx: Context,
): Promise<{ readonly text: string; readonly cas: string; readonly what: string }> {
  const asEdited = { text: edited, cas: indexOf(found), what: '' };
  if (!(error instanceof LanyardError) || error.kind !== 'conflict') return asEdited;
  try {
    const existing = await findVariable(scheduler, path);
    if (!existing) return { ...asEdited, cas: '0' };
    const theirs = itemsOf(existing);
    maskItems(ctx.output, theirs);
    const mine = await ctx.input.yamlEditor.parseItems(edited, 'the edited text');
    const items = mergeThreeWay(itemsOf(found), mine, theirs);
    return {
      text: `${headerComment(path)}${await ctx.input.yamlEditor.stringify(items)}`,
      cas: indexOf(existing),
      what: ', merged with the concurrent changes (your version where both changed or removed an item)',
    };
  } catch {
    // With the old index, the service rejects the write if the variable was changed.
    return asEdited;
  }
}

const headerComment = (path: string): string =>
  `# Variable ${path}. If the text is unchanged or empty, nothing is written.\n# All values are strings, exactly as written.\n`;

const unchanged = (found: Variable) => ({
  data: { ...metadataOf(found, found.Path), changes: [] },
  payload: [],
  document: unchangedView(found.Path),
});
