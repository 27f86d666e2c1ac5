import { type Document, dim, fields, listTable, type StyledText, strong } from '../../../output/document.ts';
import { humanDuration } from '../../../output/humanize.ts';
import { formatJson } from '../../../wire/json.ts';
import type { MountRow, MountTable } from './mounts.ts';

/** Mounts, one per line. */
export const mountsView = ({ noun }: MountTable, mounts: readonly MountRow[]): Document => [
  listTable(mounts, `No ${noun}s.`, {
    PATH: ({ path }) => strong(path),
    TYPE: typeText,
    'DEFAULT TTL': { optional: 2, cell: ({ config }) => ttlText(config?.default_lease_ttl) },
    'MAX TTL': { optional: 1, cell: ({ config }) => ttlText(config?.max_lease_ttl) },
    DESCRIPTION: { shrinkPriority: 1, cell: ({ description }) => description || null },
    ACCESSOR: { optional: 3, cell: ({ accessor }) => accessor || null },
  }),
];

/** A mount with its settings. */
export function mountView(mount: MountRow): Document {
  const { default_lease_ttl, max_lease_ttl, ...config } = mount.config ?? {};
  return [
    fields([
      ['path', strong(mount.path)],
      ['type', typeText(mount)],
      ['description', mount.description || null],
      ['accessor', mount.accessor || null],
      ['default TTL', ttlText(default_lease_ttl)],
      ['max TTL', ttlText(max_lease_ttl)],
      ...Object.entries({ ...mount.options, ...config }).map(
        ([name, value]) => [name, typeof value === 'string' ? value : formatJson(value)] as const,
      ),
    ]),
  ];
}

const typeText = ({ type, options }: MountRow): string =>
  type === 'kv' ? `kv (version ${options?.version || '1'})` : type;

const ttlText = (seconds = 0): StyledText => (seconds === 0 ? dim('system') : humanDuration(seconds));
