import type { Context } from '../../../command/context.ts';
import { mountsView } from './mount-views.ts';
import type { MountTable } from './mounts.ts';

/** The result of `list`: the mounts of a table, ordered by path. */
export async function listMounts(table: MountTable, ctx: Pick<Context, 'api'>) {
  const { body } = await table.operations(await ctx.api.secrets()).list({});
  const mounts = Object.entries(body.data)
    .map(([path, mount]) => ({ path, ...mount }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { data: mounts, rows: mounts, document: mountsView(table, mounts) };
}
