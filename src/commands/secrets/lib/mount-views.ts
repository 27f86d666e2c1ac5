import { type Document, dim, fields, type StyledText, strong, table } from '../../../output/document.ts';
import { humanDuration } from '../../../output/humanize.ts';
import { formatJson } from '../../../wire/json.ts';
import type { MountRow, MountTable } from './mounts.ts';

/** Mounts, one per line. */
export const mountsView = ({ noun }: MountTable, mounts: readonly MountRow[]): Document => [
  table(
    [
      'PATH',
      'TYPE',
      { title: 'DEFAULT TTL', optional: 2 },
      { title: 'MAX TTL', optional: 1 },
      { title: 'DESCRIPTION', shrinkPriority: 1 },
      { title: 'ACCESSOR', optional: 3 },
    ],
    mounts.map((mount) => [
      [strong(mount.path)],
      typeText(mount),
      ttlText(mount.config?.default_lease_ttl),
      ttlText(mount.config?.max_lease_ttl),
      mount.description || [dim('-')],
      mount.accessor || [dim('-')],
    ]),
    `No ${noun}s.`,
  ),
];

/** A mount with its settings. */
export const mountView = (mount: MountRow): Document => {
  const { default_lease_ttl, max_lease_ttl, ...config } = mount.config ?? {};
  return [
    fields([
      ['path', [strong(mount.path)]],
      ['type', typeText(mount)],
      ['description', mount.description || [dim('-')]],
      ['accessor', mount.accessor || [dim('-')]],
      ['default TTL', ttlText(default_lease_ttl)],
      ['max TTL', ttlText(max_lease_ttl)],
      ...Object.entries({ ...mount.options, ...config }).map(
        ([name, value]) => [name, typeof value === 'string' ? value : formatJson(value)] as const,
      ),
    ]),
  ];
};

const typeText = ({ type, options }: MountRow): string =>
  type === 'kv' ? `kv (version ${options?.version || '1'})` : type;

const ttlText = (seconds = 0): StyledText => (seconds === 0 ? [dim('system')] : humanDuration(seconds));
