import type { Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { type Block, text } from '../../../../output/document.ts';
import type { DryRunResult, Result } from '../../../../output/result.ts';
import type { DescribedEntry } from '../../../../ssh/krl/describe.ts';
import type { Krl, RevokedEntry } from '../../../../ssh/krl/krl.ts';
import { type listFlag, locationText, requireLocation } from './location.ts';
import { readKeyFile, readSelection, type selectionFlags } from './selection.ts';
import { listStore } from './store.ts';
import { entriesText, entryText } from './views.ts';

/** What a command does with the selected entries of a list. */
interface ChangeCommand {
  /** Which entries are changed: the missing ones are added, or the present ones are removed. */
  readonly changes: 'missing' | 'present';
  readonly question: (entries: string, location: string) => string;
  /** In a dry run. */
  readonly would: (entry: string) => string;
  readonly done: (entry: string) => string;
  readonly unchanged: (entry: string) => string;
  /** What follows a change. */
  readonly next: (version: bigint) => readonly Block[];
}

type Flags = Values<typeof selectionFlags & { readonly list: typeof listFlag }>;

/** The result of `ssh revoke` and `ssh revoked remove`. */
export interface ListChange {
  /** Location of the list. */
  readonly list: string;
  /** Version of the list, an unsigned 64-bit number as text. */
  readonly version: string;
  /** The entries that were added or removed. */
  readonly changed: readonly DescribedEntry[];
  /** The entries that were in the list already, or not in it. */
  readonly unchanged: readonly DescribedEntry[];
}

/** Adds or removes the selected entries, after a prompt if there is something to change. */
export async function changeList(
  files: readonly string[],
  flags: Flags,
  ctx: Context,
  { changes, question, would, done, unchanged, next }: ChangeCommand,
): Promise<Result<ListChange> | DryRunResult> {
  const location = await requireLocation(flags.list, ctx);
  const entries = await readSelection(files, flags, ctx);
  const lists = await ctx.ssh.revocation();
  const { describeEntry, missingEntries, presentEntries, withEntries, withoutEntries } = lists;
  const toChange = (krl: Krl): readonly RevokedEntry[] =>
    changes === 'missing' ? missingEntries(krl, entries) : presentEntries(krl, entries);
  const store = await listStore(location, ctx);
  const before = await store.read();
  let changed = toChange(before?.krl ?? lists.emptyKrl);
  const where = locationText(location);
  const described = (some: readonly RevokedEntry[]) => some.map(describeEntry);
  const result = (version: bigint, blocks: readonly Block[]): Result<ListChange> => {
    const others = described(entries.filter((entry) => !changed.includes(entry)));
    return {
      data: { list: where, version: String(version), changed: described(changed), unchanged: others },
      document: [
        ...described(changed).map((entry) => text(done(entryText(entry)))),
        ...others.map((entry) => text(unchanged(entryText(entry)))),
        ...blocks,
      ],
    };
  };
  if (changed.length === 0) return result(before?.krl.version ?? 0n, []);
  await ctx.input.confirm(question(entriesText(described(changed)), before ? where : `a new list, ${where}`));
  try {
    const after = await store.change((krl) => {
      changed = toChange(krl);
      if (changed.length === 0) return krl;
      return changes === 'missing' ? withEntries(krl, changed) : withoutEntries(krl, changed);
    });
    const created = after.isNew ? [text(`Created the list ${where}.`)] : [];
    if (changes === 'present') await warnStillRevoked(files, after.krl, ctx);
    return result(after.krl.version, [...created, ...(after.isChanged ? next(after.krl.version) : [])]);
  } catch (error) {
    if (!ctx.output.isDryRun) throw error;
    const planned = described(changed).map((entry) => would(entryText(entry)));
    const shown = await ctx.output.dryRunResult(error, planned);
    if (location.store !== 'file') return shown;
    return { ...shown, document: [...shown.document, ...planned.map((each) => text(each))] };
  }
}

/** Warns of files that another entry revokes. */
async function warnStillRevoked(files: readonly string[], krl: Krl, ctx: Context): Promise<void> {
  const { describeEntry, findRevocation, readRevocable } = await ctx.ssh.revocation();
  for (const file of files.filter((each) => each !== '-')) {
    const { content, name } = await readKeyFile(file, ctx);
    const found = findRevocation(krl, readRevocable(content, name));
    if (found) ctx.output.warn(`${name} is still revoked: ${entryText(describeEntry(found.entry))}`);
  }
}
