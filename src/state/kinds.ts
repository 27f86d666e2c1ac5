import type { Kind } from './kind.ts';
import { accountsAccount } from './kinds/accounts-account.ts';
import { registryPolicy } from './kinds/registry-policy.ts';
import { schedulerNamespace } from './kinds/scheduler-namespace.ts';
import { schedulerVariable } from './kinds/scheduler-variable.ts';

/** Every kind of object that a set may contain, in the order of the documentation. */
export const kinds: readonly Kind[] = [
  registryPolicy,
  schedulerNamespace,
  schedulerVariable,
  accountsAccount,
];

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

export const findKind = (name: string): Kind | undefined => byName.get(name);
