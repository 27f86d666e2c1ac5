import type { SchedulerClient } from '../../../api/scheduler.ts';
import type { Context } from '../../../command/context.ts';
import { warnOfLimits } from '../../../command/scheduler-lists.ts';
import { LanyardError, usage } from '../../../errors.ts';
import type { Items } from '../../../io/variable-file.ts';
import { countText } from '../../../output/humanize.ts';
import { mapConcurrently } from '../../../wire/concurrently.ts';
import { hasNoOwnItems } from '../../../wire/lock-marker.ts';
import { readPages } from './read-pages.ts';
import { checkItems, checkPath, findVariable, itemsOf, maskItems } from './variable.ts';

/** Items by the path of their variable. */
export type Collection = ReadonlyMap<string, Items>;

export interface CollectionQuery {
  readonly prefix: string | undefined;
  /** Default: the namespace of the settings. */
  readonly namespace?: string;
}

/**
 * Every variable of a namespace with its items; variables that are deleted concurrently are omitted.
 *
 * @throws LanyardError failure: the service returned an invalid path, which would be unsafe as a file name.
 */
export async function collectVariables(
  scheduler: SchedulerClient,
  { prefix, namespace }: CollectionQuery,
  ctx: Context,
): Promise<Collection> {
  const where = namespace === undefined ? {} : { namespace };
  const paths: string[] = [];
  const requested = { ...where, prefix };
  for await (const { items: variables } of readPages(scheduler, requested, true))
    paths.push(...variables.map(({ Path }) => Path));
  await warnOfLimits(scheduler, 'variables', paths.length, ctx);
  const named = paths.filter((path) => {
    if (!hasEmptySegment(path)) return true;
    ctx.output.warn(`skipped variable "${path}": the path is not valid as a file name`);
    return false;
  });
  for (const path of named) rejectForeignPath(path);
  const found = await mapConcurrently(
    named,
    async (path) => [path, await findVariable(scheduler, path, where)] as const,
  );
  const all = found.flatMap(([path, variable]) => (variable ? [[path, itemsOf(variable)] as const] : []));
  for (const [, items] of all) maskItems(ctx.output, items);
  return withoutLocks(new Map(all), ctx);
}

/** The variables with items: locks leave others, which cannot be written. */
function withoutLocks(all: Collection, { output }: Context): Collection {
  const kept = [...all].filter(([, items]) => !hasNoOwnItems(items));
  const count = all.size - kept.length;
  if (count > 0)
    output.note(`${countText(count, 'variable')} without items left out; locks make such variables.`);
  return new Map(kept);
}

/** Whether a path has an empty segment, such as `/app` and `app//db`: services allow it, a directory does not. */
const hasEmptySegment = (path: string): boolean => path.split('/').includes('');

function rejectForeignPath(path: string): void {
  try {
    checkPath(path);
  } catch {
    throw new LanyardError(
      'failure',
      `unexpected response from the scheduler: invalid variable path "${path}"`,
      { service: 'scheduler' },
    );
  }
}

const suffix = /\.(json|ya?ml|env)$/i;

/** The variables in the files of a directory; the path of a variable is the path of its file without the extension. */
export async function readDirectory(folder: string, ctx: Context): Promise<Collection> {
  const all = new Map<string, Items>();
  for (const file of await ctx.files.listRecursively(folder)) {
    if (!suffix.test(file)) {
      ctx.output.warn(`skipped ${file}: expected the extension .json, .yaml, .yml or .env`);
      continue;
    }
    const path = file.replace(suffix, '');
    const name = `${folder.replace(/\/+$/, '')}/${file}`;
    checkPath(path);
    if (all.has(path)) throw usage(`${folder} contains two files for variable "${path}"`);
    const items = await ctx.input.readItems({ pairs: [], file: name });
    if (!hasNoOwnItems(items)) checkItems(name, items);
    all.set(path, items);
  }
  return withoutLocks(all, ctx);
}
