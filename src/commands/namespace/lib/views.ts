import type { Namespace } from '../../../api/scheduler.ts';
import { formatValue } from '../../../output/diff.ts';
import { type Document, fields, listTable, strong } from '../../../output/document.ts';

export const namespacesView = (namespaces: readonly Namespace[]): Document => [
  listTable(namespaces, 'No namespaces.', {
    NAME: ({ Name }) => [strong(Name)],
    DESCRIPTION: { cell: ({ Description }) => Description || null, shrinkPriority: 1 },
    QUOTA: { cell: ({ Quota }) => Quota || null, shrinkPriority: 2 },
  }),
];

export const namespaceView = ({ Name, Description, Quota, Meta, Capabilities }: Namespace): Document => [
  fields([
    ['name', [strong(Name)]],
    ['description', Description || null],
    ['quota', Quota || undefined],
    ...Object.entries(Meta ?? {}).map(([key, value]) => [`meta ${key}`, value] as const),
    ['capabilities', Capabilities ? formatValue(Capabilities) : undefined],
  ]),
];
