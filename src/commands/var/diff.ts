import { arg, command, flag, type Values } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError, notFound, usage } from '../../errors.ts';
import { keyChanges } from '../../output/diff.ts';
import { listTable, text } from '../../output/document.ts';
import { countText } from '../../output/humanize.ts';
import { compact } from '../../wire/objects.ts';
import { type Collection, type CollectionQuery, collectVariables, readDirectory } from './lib/collection.ts';
import { checkPath, findVariable, formatFlag, itemsOf, maskItems, requireNamespace } from './lib/variable.ts';

const ownValue = (items: Readonly<Record<string, string>> | undefined, key: string): string | null =>
  items && Object.hasOwn(items, key) ? (items[key] ?? null) : null;

const diffFlags = {
  with: flag.file('FILE|DIR|-', 'file of items (with PATH), or directory of such files'),
  format: formatFlag,
  withNamespace: flag.text('NS', 'namespace to compare with', { completes: 'scheduler-namespace' }),
  prefix: flag.text('TEXT', 'without PATH: only paths with this prefix', { completes: 'variable' }),
  reveal: flag.boolean('show the values'),
} as const;

export default command({
  description:
    'DIR is a directory from "var export". The exit code is 0 without differences and 10 with differences, as of "plan".',
  examples: [
    'lanyard var diff variables',
    'lanyard var diff app/db --with db.json',
    'lanyard var diff app/db --namespace staging --with-namespace production',
  ],
  service: 'scheduler',
  waitsForRateLimits: true,
  args: {
    subject: arg.optional('DIR|PATH', 'directory; with --with or --with-namespace: variable (default: all)', {
      completes: 'variable',
    }),
  },
  flags: diffFlags,
  async run({ args: { subject }, flags: given }, ctx) {
    const isDirectory = given.with === undefined && given.withNamespace === undefined;
    const flags = isDirectory ? { ...given, with: subject } : given;
    const path = isDirectory ? undefined : subject;
    if ((flags.with === undefined) === (flags.withNamespace === undefined))
      throw usage('expected either DIR, --with or --with-namespace');
    if (path !== undefined) checkPath(path);
    if (path !== undefined && flags.prefix !== undefined)
      throw usage('--prefix cannot be combined with PATH');
    if (flags.withNamespace === '*') throw usage('invalid --with-namespace "*": expected one namespace');
    await requireNamespace(ctx);
    const after = await readOther(path, flags, ctx).catch((error: unknown) => {
      const isMissing = isDirectory && error instanceof LanyardError && error.kind === 'usage' && !error.hint;
      throw isMissing ? error.withHint('To compare one variable, use PATH with --with FILE.') : error;
    });
    const before = await readStored(path, { prefix: flags.prefix }, ctx);
    if (path !== undefined && before.size + after.size === 0)
      throw notFound(`variable "${path}" not found in either namespace`, { service: 'scheduler' });
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const differences = paths.flatMap((path) => {
      const [was, is] = [before.get(path), after.get(path)];
      return keyChanges(was ?? {}, is ?? {}).map(({ key, change }) => ({
        path,
        key,
        change,
        ...(flags.reveal ? { before: ownValue(was, key), after: ownValue(is, key) } : {}),
      }));
    });
    return {
      data: differences,
      rows: differences,
      exitCode: differences.length > 0 ? 10 : 0,
      document:
        differences.length === 0
          ? [text(`No differences in ${countText(paths.length, 'variable')}.`)]
          : [
              listTable(differences, undefined, {
                PATH: ({ path }) => path,
                KEY: ({ key }) => key,
                CHANGE: ({ change }) => change,
                ...(flags.reveal && {
                  BEFORE: { cell: ({ before }) => before ?? '', shrinkPriority: 1 },
                  AFTER: { cell: ({ after }) => after ?? '', shrinkPriority: 1 },
                }),
              }),
            ],
    };
  },
});

async function readStored(
  path: string | undefined,
  requested: CollectionQuery,
  ctx: Context,
): Promise<Collection> {
  const scheduler = await ctx.api.scheduler();
  if (path === undefined) return collectVariables(scheduler, requested, ctx);
  const found = await findVariable(scheduler, path, compact({ namespace: requested.namespace }));
  if (!found) return new Map();
  maskItems(ctx.output, itemsOf(found));
  return new Map([[path, itemsOf(found)]]);
}

async function readOther(
  path: string | undefined,
  flags: Values<typeof diffFlags>,
  ctx: Context,
): Promise<Collection> {
  const { prefix, withNamespace, format } = flags;
  if (withNamespace !== undefined) return readStored(path, { prefix, namespace: withNamespace }, ctx);
  const from = flags.with ?? '';
  if (path !== undefined)
    return new Map([[path, await ctx.input.readItems({ pairs: [], file: from, format })]]);
  const all = await readDirectory(from, ctx);
  return new Map([...all].filter(([each]) => each.startsWith(prefix ?? '')));
}
