import type { Namespace } from '../../../api/scheduler.ts';
import { formatValue } from '../../../output/diff.ts';
import { type Document, dim, fields, type StyledText, strong, table } from '../../../output/document.ts';

export const namespacesView = (namespaces: readonly Namespace[]): Document => [
  table(
    ['NAME', { title: 'DESCRIPTION', shrinkPriority: 1 }, { title: 'QUOTA', shrinkPriority: 2 }],
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
