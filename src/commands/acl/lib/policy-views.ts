import type { AclPolicy } from '../../../api/registry-acl.ts';
import { type Document, dim, fields, listTable, raw, strong } from '../../../output/document.ts';

const datacentersOf = ({ Datacenters }: AclPolicy): string => (Datacenters ?? []).join(', ') || 'all';

/** Policies, one per line, sorted by name. */
export const policiesView = (policies: readonly AclPolicy[]): Document => [
  listTable(policies, 'No policies.', {
    NAME: ({ Name }) => strong(Name),
    DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
    DATACENTERS: { shrinkPriority: 2, cell: datacentersOf },
    ID: { optional: 1, cell: ({ ID }) => ID },
  }),
];

export function policyView(policy: AclPolicy): Document {
  const rules = (policy.Rules ?? '').replace(/^\n+|\s+$/g, '');
  const rows = fields([
    ['name', strong(policy.Name)],
    ['ID', policy.ID],
    ['description', policy.Description || null],
    ['datacenters', datacentersOf(policy)],
    ['rules', rules === '' ? dim('(none)') : undefined],
  ]);
  return rules === '' ? [rows] : [rows, raw(`\n${rules}\n`)];
}
