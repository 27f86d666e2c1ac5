import type { AclPolicy } from '../../../api/registry-acl.ts';
import { type Document, dim, fields, raw, strong } from '../../../output/document.ts';

export const datacentersOf = ({ Datacenters }: AclPolicy): string => (Datacenters ?? []).join(', ') || 'all';

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
