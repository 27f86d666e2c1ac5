import type { Namespace } from '../../../api/scheduler.ts';
import { type Change, changesTable, formatValue } from '../../../output/diff.ts';
import {
  code,
  type Document,
  dim,
  fields,
  type StyledText,
  strong,
  table,
  text,
} from '../../../output/document.ts';

export const namespacesView = (namespaces: readonly Namespace[]): Document => [
  table(
    ['NAME', { title: 'DESCRIPTION', shrinkPriority: 1 }, 'QUOTA'],
    namespaces.map(({ Name, Description, Quota }) => [
      [strong(Name)],
      Description || [dim('-')],
      Quota || [dim('-')],
    ]),
    'No namespaces.',
  ),
];

export const namespaceView = ({ Name, Description, Quota, Meta, Capabilities }: Namespace): Document => [
  fields([
    ['name', [strong(Name)]],
    ['description', Description || [dim('-')]],
    ...(Quota ? [['quota', Quota] as const] : []),
    ...Object.entries(Meta ?? {}).map(([key, value]): [string, StyledText] => [`meta ${key}`, value]),
    ...(Capabilities ? [['capabilities', formatValue(Capabilities)] as const] : []),
  ]),
];

/** The result of a write. */
export function writtenView(name: string, isNew: boolean, changes: readonly Change[]): Document {
  if (isNew) return [text('Created namespace ', code(name), '.')];
  if (changes.length === 0) return [text('Namespace ', code(name), ' is unchanged.')];
  return [text('Updated namespace ', code(name), '.'), changesTable(changes)];
}
