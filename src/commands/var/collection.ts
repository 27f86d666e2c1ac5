import type { SchedulerClient } from '../../api/scheduler.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import type { Items } from '../../io/items.ts';
import { pagesOf } from './pages.ts';
import { checkItems, checkPath, find, itemsOf, mask } from './shared.ts';

/** Items by the path of their variable. */
export type Collection = ReadonlyMap<string, Items>;

/** Calls that are made at a time. */
const width = 8;

/** What `ask` makes of each, in order, some at a time. */
export async function each<One, Answer>(
  all: readonly One[],
  ask: (one: One) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < all.length; at += width)
    answers.push(...(await Promise.all(all.slice(at, at + width).map(ask))));
  return answers;
}

interface Asked {
  readonly prefix: string | undefined;
  /** The namespace of the settings unless told. */
  readonly namespace?: string;
}

/**
 * Every variable of a namespace with its items; one that is deleted meanwhile is left out.
 *
 * @throws LanyardError failure: the service gives a path that none can have, and that might lead anywhere as a file.
 */
export async function collect(
  scheduler: SchedulerClient,
  { prefix, namespace }: Asked,
  ctx: Pick<Context, 'io'>,
): Promise<Collection> {
  const where = namespace === undefined ? {} : { namespace };
  const paths: string[] = [];
  const asked = { ...where, ...(prefix === undefined ? {} : { prefix }) };
  for await (const { variables } of pagesOf(scheduler, asked, true))
    paths.push(...variables.map(({ Path }) => Path));
  const named = paths.filter((path) => {
    if (!hasEmptyPart(path)) return true;
    ctx.io.warn(`the variable "${path}" is passed over: no file can be named after it`);
    return false;
  });
  for (const path of named) refuseForeign(path);
  const found = await each(named, async (path) => [path, await find(scheduler, path, where)] as const);
  return new Map(
    found.flatMap(([path, variable]) => {
      if (!variable) return [];
      mask(ctx.io, itemsOf(variable));
      return [[path, itemsOf(variable)] as const];
    }),
  );
}

/** Services take paths such as `/app` and `app//db`, which lead elsewhere in a folder. */
const hasEmptyPart = (path: string): boolean => path.split('/').includes('');

function refuseForeign(path: string): void {
  try {
    checkPath(path);
  } catch {
    throw new LanyardError(
      'failure',
      `unexpected response from the scheduler: a variable with the path "${path}"`,
      {
        service: 'scheduler',
      },
    );
  }
}

const suffix = /\.(json|ya?ml|env)$/i;

/** The variables that the files of a folder describe; the path of one is that of its file, without the ending. */
export async function readFolder(
  folder: string,
  ctx: Pick<Context, 'files' | 'items' | 'io'>,
): Promise<Collection> {
  const all = new Map<string, Items>();
  for (const file of await ctx.files.below(folder)) {
    if (!suffix.test(file)) {
      ctx.io.warn(`${file} is passed over: it does not end in .json, .yaml, .yml or .env`);
      continue;
    }
    const path = file.replace(suffix, '');
    const name = `${folder.replace(/\/+$/, '')}/${file}`;
    checkPath(path);
    if (all.has(path)) throw usage(`${folder} has two files for the variable "${path}"`);
    const items = await ctx.items({ pairs: [], file: name });
    checkItems(name, items);
    all.set(path, items);
  }
  return all;
}
