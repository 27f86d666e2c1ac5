import type { AclPolicy } from '../../../api/registry-acl.ts';
import { type Document, dim, fields, raw, strong, table } from '../../../output/document.ts';

const everywhere = 'all';

/** Policies, one per line, sorted by name. */
export const policiesView = (policies: readonly AclPolicy[]): Document => [
  table(
    [
      'NAME',
      { title: 'DESCRIPTION', shrinkPriority: 1 },
      { title: 'DATACENTERS', shrinkPriority: 2 },
      { title: 'ID', optional: 1 },
    ],
    policies.map(({ ID, Name, Description, Datacenters }) => [
      [strong(Name)],
      Description || [dim('-')],
      (Datacenters ?? []).join(', ') || everywhere,
      ID,
    ]),
    'No policies.',
  ),
];

export const policyView = ({ ID, Name, Description, Datacenters, Rules = '' }: AclPolicy): Document => [
  fields([
    ['name', [strong(Name)]],
    ['ID', ID],
    ['description', Description || [dim('-')]],
    ['datacenters', (Datacenters ?? []).join(', ') || everywhere],
    ...(Rules.trim() === '' ? [['rules', [dim('(none)')]] as const] : []),
  ]),
  ...(Rules.trim() === '' ? [] : [raw(`\n${Rules.replace(/^\n+|\s+$/g, '')}\n`)]),
];
