import type { Namespace } from '../../api/scheduler.ts';
import { type Change, pathText, valueText } from '../../output/changes.ts';
import { code, type Document, dim, fields, strong, table, text, type Words } from '../../output/document.ts';

export const namespacesView = (namespaces: readonly Namespace[]): Document => [
  table(
    ['NAME', { title: 'DESCRIPTION', give: 1 }, 'QUOTA'],
    namespaces.map(({ Name, Description, Quota }) => [
      [strong(Name)],
      Description || [dim('-')],
      Quota || [dim('-')],
    ]),
    'There are no namespaces that the token may see.',
  ),
];

export const namespaceView = ({ Name, Description, Quota, Meta, Capabilities }: Namespace): Document => [
  fields([
    ['name', [strong(Name)]],
    ['description', Description || [dim('-')]],
    ...(Quota ? [['quota', Quota] as const] : []),
    ...Object.entries(Meta ?? {}).map(([key, value]): [string, Words] => [`meta ${key}`, value]),
    ...(Capabilities ? [['capabilities', valueText(Capabilities)] as const] : []),
  ]),
];

/** What was written of a namespace. */
export function writtenView(name: string, isNew: boolean, changes: readonly Change[]): Document {
  if (isNew) return [text('The namespace ', code(name), ' is created.')];
  if (changes.length === 0) return [text('The namespace ', code(name), ' is unchanged.')];
  return [
    text('The namespace ', code(name), ' is updated.'),
    table(
      ['FIELD', 'BEFORE', 'AFTER'],
      changes.map(({ path, before, after }) => [pathText(path), [dim(valueText(before))], valueText(after)]),
    ),
  ];
}
