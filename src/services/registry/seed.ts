import {
  anonymous,
  anonymousSecret,
  globalManagement,
  hashOf,
  policies,
  putToken,
  tokens,
} from './model/acl.ts';
import type { Transaction } from './model/tables.ts';

export function seedAcl(transaction: Transaction): void {
  if (!policies.get(transaction, globalManagement.ID)) {
    policies.write(transaction, globalManagement.ID, {
      ...globalManagement,
      Description: 'Builtin Policy that grants unlimited access',
      Rules: '',
      Hash: hashOf(globalManagement.ID),
    });
  }
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
