import { withoutIndexes } from '../core/state/state-table.ts';
import {
  anonymous,
  anonymousSecret,
  globalManagement,
  globalReadOnly,
  hashOf,
  type Link,
  policies,
  putToken,
  tokens,
} from './model/acl.ts';
import type { Transaction } from './model/tables.ts';

export function seedAcl(transaction: Transaction): void {
  seedPolicy(
    transaction,
    globalManagement,
    'write',
    'Built-in policy with read and write access to everything',
  );
  seedPolicy(transaction, globalReadOnly, 'read', 'Built-in policy with read access to everything');
  if (!tokens.get(transaction, anonymous)) {
    putToken(transaction, {
      AccessorID: anonymous,
      SecretID: anonymousSecret,
      Description: 'Anonymous Token',
      Policies: [],
      Local: false,
      CreateTime: new Date(transaction.now).toISOString(),
      Hash: hashOf(anonymous),
    });
  }
}

/** Resources of the rules of a built-in policy, in this order. */
const resources = [
  ...['acl', 'agent_prefix', 'event_prefix', 'key_prefix', 'keyring', 'node_prefix', 'operator', 'mesh'],
  ...['peering', 'query_prefix', 'service_prefix', 'session_prefix'],
];

/** Writes a built-in policy, or gives it its rules if an earlier version wrote it. */
function seedPolicy(
  transaction: Transaction,
  link: Link,
  level: 'read' | 'write',
  Description: string,
): void {
  const Rules = rulesOf(level);
  const existing = policies.get(transaction, link.ID);
  const policy = { ...link, Description, ...(existing && withoutIndexes(existing)), Rules };
  const seeded = { ...policy, Hash: existing?.Hash ?? hashOf(link.ID) };
  policies.write(transaction, link.ID, seeded);
}

function rulesOf(level: 'read' | 'write'): string {
  const lines = resources.map((resource) => {
    if (!resource.endsWith('_prefix')) return `${resource} = "${level}"`;
    const intentions = resource === 'service_prefix' ? `\n\tintentions = "${level}"` : '';
    return `${resource} "" {\n\tpolicy = "${level}"${intentions}\n}`;
  });
  return `\n${lines.join('\n')}`;
}
