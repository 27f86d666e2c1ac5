import type { Variable } from '../../api/scheduler.ts';
import { arg, command, flag, parsePairs } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError, readForChanges, usage } from '../../errors.ts';
import type { Items, VariableInput } from '../../io/variable-file.ts';
import { changedKeys, isEqual } from '../../output/diff.ts';
import {
  casFlag,
  checkItems,
  checkPath,
  findVariable,
  formatFlag,
  indexOf,
  itemsOf,
  requireNamespace,
} from './lib/variable.ts';
import { unchangedView, writtenView } from './lib/views.ts';
import {
  conflictError,
  deletedMeanwhileError,
  describeConflict,
  mergeConflictError,
  metadataOf,
  readConflict,
  writeItems,
  writeMerged,
} from './lib/write-variable.ts';

export default command({
  description:
    'Replaces all items; --merge updates some. Give secret values as K=@FILE (exact content), K=- (standard input without its last line break) or with --in, because other users and the shell history can see the command line. If the variable is not what --cas, --merge or the ModifyIndex of the file expects, nothing is written and the differing items are listed.',
  examples: [
    'lanyard var put app/tls certificate=@tls.crt key=@tls.key',
    'lanyard var put app/db --in items.json --cas 0',
    'lanyard var put app/db password=- --merge < password.txt',
    'lanyard var put app/db --in .env --merge --retry-merge',
  ],
  service: 'scheduler',
  writes: 'after reads',
  args: {
    path: arg.optional('PATH', 'path of the variable, such as app/db (default: path of the file)', {
      completes: 'variable',
    }),
    pairs: arg.pairs('items; the values are strings', { completes: 'variable-item' }),
  },
  flags: {
    in: flag.file('FILE|-', 'items as JSON, YAML, dotenv or HCL; - for standard input'),
    format: formatFlag,
    cas: casFlag('write only if N is the current ModifyIndex (0: none exists)'),
    force: flag.boolean('ignore the ModifyIndex of the file'),
    merge: flag.boolean('update the given items; fail on a concurrent change'),
    retryMerge: flag.boolean('as --merge, but retry unless the same items were changed concurrently'),
  },
  async run({ args, flags }, ctx) {
    const { path: stated, pairs } = argumentsOf(args, flags.in);
    if (stated !== undefined) checkPath(stated);
    else if (flags.in === undefined) throw missingPathError();
    const isMerge = flags.merge || flags.retryMerge;
    if (isMerge && flags.cas !== undefined) throw usage('--merge cannot be combined with --cas');
    if (flags.force && (isMerge || flags.cas !== undefined))
      throw usage(`--force cannot be combined with ${isMerge ? '--merge' : '--cas'}`);
    const given = await readInput(pairs, flags, ctx);
    const namespace = await requireNamespace(ctx);
    const path = stated ?? pathIn(given, namespace);
    const { items } = given;
    if (isMerge) return mergeVariable(path, items, flags.retryMerge, ctx);
    const index = flags.force || flags.cas !== undefined ? undefined : casIndex({ path, namespace }, given);
    const desired = { path, items, cas: flags.cas ?? index };
    const scheduler = await ctx.api.scheduler();
    const found = await readForChanges(findVariable(scheduler, path));
    const hint =
      index === undefined ? {} : { hint: `The file has ModifyIndex ${index}; use --force to ignore it.` };
    const variable = await writeItems(scheduler, desired).catch(
      describeConflict(scheduler, { ...desired, ...hint }),
    );
    await ctx.input.yamlEditor.removeIfSaved(flags.in);
    return resultOf(path, found && itemsOf(found), items, variable);
  },
});

/** The result: what was written, and the names of the changed items. */
function resultOf(
  path: string,
  before: Items | null | undefined,
  items: Items,
  variable: Variable | undefined,
) {
  const { changes, document } = changedKeys(before, items);
  return {
    data: { ...metadataOf(variable, path), changes },
    document: [...writtenView(path, items, variable), ...document],
  };
}

interface PutArguments {
  readonly path: string | undefined;
  readonly pairs: Parameters<Context['input']['readVariable']>[0]['pairs'];
}

/** With a file, whose path is used, the first argument may be an item: a path has no "=". */
function argumentsOf({ path, pairs }: PutArguments, file: string | undefined): PutArguments {
  if (file === undefined || !path?.includes('=')) return { path, pairs };
  const words = [path, ...pairs.map(({ key, value }) => `${key}=${value}`)];
  return { path: undefined, pairs: parsePairs(words) };
}

const missingPathError = () =>
  usage('no variable specified', { hint: 'Give PATH, or a file with a path and --in.' });

/** The path in a file. @throws LanyardError usage: it has none, or is for another namespace */
function pathIn({ path, namespace }: VariableInput, selected: string): string {
  if (path === undefined) throw missingPathError();
  checkPath(path);
  if (namespace !== undefined && namespace !== selected)
    throw usage(`cannot write variable "${path}": the file is for namespace "${namespace}"`, {
      hint: `Select the namespace with -n ${namespace}, or give PATH to write to "${selected}".`,
    });
  return path;
}

/** The ModifyIndex in a file of the same variable; as in Nomad's own command, the write expects it. */
const casIndex = (
  target: { readonly path: string; readonly namespace: string },
  { path = target.path, namespace = target.namespace, modifyIndex }: VariableInput,
): string | undefined => (path === target.path && namespace === target.namespace ? modifyIndex : undefined);

async function readInput(
  pairs: Parameters<Context['input']['readVariable']>[0]['pairs'],
  flags: { readonly in: string | undefined; readonly format: 'json' | 'yaml' | 'env' | 'hcl' | undefined },
  ctx: Context,
): Promise<VariableInput> {
  if (pairs.length === 0 && flags.in === undefined)
    throw usage('nothing to write', { hint: 'Add KEY=VALUE, KEY=@FILE or KEY=-, or a file with --in.' });
  const given = await ctx.input.readVariable({ pairs, file: flags.in, format: flags.format });
  checkItems('the variable', given.items);
  return given;
}

async function mergeVariable(path: string, given: Items, isRepeated: boolean, ctx: Context) {
  const scheduler = await ctx.api.scheduler();
  const found = await findVariable(scheduler, path);
  const base = found ? itemsOf(found) : {};
  const over = (theirs: Items): Items => {
    const items = { ...theirs, ...given };
    checkItems('the merged variable', items);
    return items;
  };
  const items = over(base);
  if (found && isEqual(base, items))
    return { data: { ...metadataOf(found, path), changes: [] }, document: unchangedView(path) };
  const before = found && base;
  const cas = found ? indexOf(found) : '0';
  if (isRepeated) {
    const written = await writeMerged(scheduler, path, { base, cas }, over).catch(withHint(`${retryHint}.`));
    if (written.rounds > 1)
      ctx.output.note(
        `The variable was changed concurrently; the changes were merged at attempt ${written.rounds}.`,
      );
    return resultOf(path, before, written.items, written.variable);
  }
  const variable = await writeItems(scheduler, { path, items, cas }).catch(async (error: unknown) => {
    const casConflict = await readConflict(error, scheduler, { path, cas });
    if (!casConflict) throw error;
    if (casConflict.state === 'locked' || casConflict.state === 'unknown')
      throw conflictError({ path, cas, items }, casConflict);
    if (casConflict.state === 'absent' && cas !== '0')
      return withHint(`${retryHint}.`)(deletedMeanwhileError(path));
    const hint = `${retryHint}, or use --retry-merge to retry unless the same items were changed.`;
    return withHint(hint)(mergeConflictError(path, base, items, casConflict.items));
  });
  return resultOf(path, before, items, variable);
}

const retryHint = 'Run the same command again to merge with the current items';

const withHint =
  (hint: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || error.kind !== 'conflict' || error.hint) throw error;
    throw error.withHint(hint);
  };
