import type { Context } from '../../../command/context.ts';
import { dim, fieldsResult, listResult, type StyledText, strong } from '../../../output/document.ts';
import { humanDuration } from '../../../output/humanize.ts';
import { formatJson } from '../../../wire/json.ts';
import { findMount, type MountRow, type MountTable, mountPath } from './mounts.ts';

/** The result of `list`: the mounts of a table, ordered by path. */
export async function listMounts(table: MountTable, ctx: Pick<Context, 'api'>) {
  const { body } = await table.operations(await ctx.api.secrets()).list({});
  const mounts = Object.entries(body.data)
    .map(([path, mount]) => ({ path, ...mount }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return listResult(mounts, `No ${table.noun}s.`, {
    PATH: ({ path }) => strong(path),
    TYPE: typeText,
    'DEFAULT TTL': { optional: 2, cell: ({ config }) => ttlText(config?.default_lease_ttl) },
    'MAX TTL': { optional: 1, cell: ({ config }) => ttlText(config?.max_lease_ttl) },
    DESCRIPTION: { shrinkPriority: 1, cell: ({ description }) => description || null },
    ACCESSOR: { optional: 3, cell: ({ accessor }) => accessor || null },
  });
}

/** The result of `get`: a mount with its settings. */
export async function getMount(table: MountTable, given: string, ctx: Pick<Context, 'api'>) {
  const mount = await findMount(table, await ctx.api.secrets(), mountPath(table, given));
  const { default_lease_ttl, max_lease_ttl, ...config } = mount.config ?? {};
  return fieldsResult(mount, [
    ['path', strong(mount.path)],
    ['type', typeText(mount)],
    ['description', mount.description || null],
    ['accessor', mount.accessor || null],
    ['default TTL', ttlText(default_lease_ttl)],
    ['max TTL', ttlText(max_lease_ttl)],
    ...Object.entries({ ...mount.options, ...config }).map(
      ([name, value]) => [name, typeof value === 'string' ? value : formatJson(value)] as const,
    ),
  ]);
}

const typeText = ({ type, options }: MountRow): string =>
  type === 'kv' ? `kv (version ${options?.version || '1'})` : type;

const ttlText = (seconds = 0): StyledText => (seconds === 0 ? dim('system') : humanDuration(seconds));
