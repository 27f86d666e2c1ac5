import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import type { GivenVariable, Items } from '../../io/items.ts';
import { same } from '../../output/changes.ts';
import {
  casFlag,
  checkItems,
  checkPath,
  find,
  formatFlag,
  indexOf,
  itemsOf,
  oneNamespace,
  pathArg,
} from './shared.ts';
import { unchangedView, writtenView } from './views.ts';
import {
  clash,
  conflict,
  conflicting,
  deletedMeanwhile,
  metadataOf,
  obstacleOf,
  writeItems,
  writeTogether,
} from './write.ts';

export default command({
  description:
    'Replaces all items; --merge changes only the named ones. Other users and the shell’s history see the command line: give a secret value as K=@FILE (the exact file) or K=- (standard input without its last line break), or all items with --in. If the existing variable is not what --cas, --merge or the ModifyIndex of the file expects, nothing is written and the items that differ are named.',
  examples: [
    'lanyard var put app/tls certificate=@tls.crt key=@tls.key',
    'lanyard var put app/db --in items.json --cas 0',
    'lanyard var put app/db password=- --merge < password.txt',
    'lanyard var put app/db --in .env --merge --retry-merge',
  ],
  service: 'scheduler',
  writes: true,
  readsFirst: true,
  args: { path: pathArg, pairs: arg.pairs('the items; the values are text') },
  flags: {
    in: flag.text('FILE|-', 'the items from JSON, YAML or dotenv; - is standard input', {
      completes: 'file',
    }),
    format: formatFlag,
    cas: casFlag('write only if N is the ModifyIndex of what is there; 0: if nothing is'),
    merge: flag.boolean('read what is there, change the named items, write if nobody else has meanwhile'),
    retryMerge: flag.boolean('as --merge, and again after others wrote, unless they changed the same items'),
  },
  async run({ args: { path, pairs }, flags }, ctx) {
    checkPath(path);
    const isMerge = flags.merge || flags.retryMerge;
    if (isMerge && flags.cas !== undefined)
      throw usage('--merge checks by itself: --cas does not go with it');
    const given = await givenBy(pairs, flags, ctx);
    const namespace = await oneNamespace(ctx);
    const { items } = given;
    if (isMerge) return merge(path, items, flags.retryMerge, ctx);
    const index = flags.cas === undefined ? indexFor({ path, namespace }, given) : undefined;
    const wanted = { path, items, cas: flags.cas ?? index };
    const scheduler = await ctx.api.scheduler();
    const hint =
      index === undefined ? {} : { hint: `The file has ModifyIndex ${index}; --cas N takes another.` };
    const variable = await writeItems(scheduler, wanted).catch(
      conflicting(scheduler, { ...wanted, ...hint }),
    );
    await ctx.drafts.used(flags.in);
    return { data: metadataOf(variable, path), document: writtenView(path, items, variable) };
  },
});

/** The ModifyIndex that a file has of this very variable: as with Nomad's own command, a write is checked against it. */
const indexFor = (
  target: { readonly path: string; readonly namespace: string },
  { path = target.path, namespace = target.namespace, modifyIndex }: GivenVariable,
): string | undefined => (path === target.path && namespace === target.namespace ? modifyIndex : undefined);

async function givenBy(
  pairs: Parameters<Context['variable']>[0]['pairs'],
  flags: { readonly in: string | undefined; readonly format: 'json' | 'yaml' | 'env' | undefined },
  ctx: Pick<Context, 'variable'>,
): Promise<GivenVariable> {
  if (pairs.length === 0 && flags.in === undefined)
    throw usage('nothing to write', {
      hint: 'Give items as KEY=VALUE, KEY=@FILE or KEY=-, or a file of them with --in.',
    });
  const given = await ctx.variable({ pairs, file: flags.in, format: flags.format });
  checkItems('the variable', given.items);
  return given;
}

/** Changes the named items of what is there. */
async function merge(path: string, given: Items, isRepeated: boolean, ctx: Pick<Context, 'api' | 'io'>) {
  const scheduler = await ctx.api.scheduler();
  const found = await find(scheduler, path);
  const base = found ? itemsOf(found) : {};
  const over = (theirs: Items): Items => {
    const items = { ...theirs, ...given };
    checkItems('the variable, merged,', items);
    return items;
  };
  const items = over(base);
  if (found && same(base, items)) return { data: metadataOf(found, path), document: unchangedView(path) };
  const cas = found ? indexOf(found) : '0';
  if (isRepeated) {
    const written = await writeTogether(scheduler, path, { base, cas }, over).catch(advised(`${again}.`));
    if (written.rounds > 1)
      ctx.io.note(`others wrote meanwhile; merged with theirs at attempt ${written.rounds}`);
    return {
      data: metadataOf(written.variable, path),
      document: writtenView(path, written.items, written.variable),
    };
  }
  const variable = await writeItems(scheduler, { path, items, cas }).catch(async (error: unknown) => {
    const obstacle = await obstacleOf(error, scheduler, { path, cas });
    if (!obstacle) throw error;
    if (obstacle.state === 'locked' || obstacle.state === 'unknown')
      throw conflict({ path, cas, items }, obstacle);
    if (obstacle.state === 'absent' && cas !== '0') return advised(`${again}.`)(deletedMeanwhile(path));
    const hint = `${again}; --retry-merge does so by itself, where nobody else changed the same items.`;
    return advised(hint)(clash(path, base, items, obstacle.items));
  });
  return { data: metadataOf(variable, path), document: writtenView(path, items, variable) };
}

const again = 'The same command line starts from what is there now';

/** Says how to go on after a conflict that does not say it. */
const advised =
  (hint: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || error.kind !== 'conflict' || error.hint) throw error;
    throw new LanyardError('conflict', error.message, { ...error, hint });
  };
