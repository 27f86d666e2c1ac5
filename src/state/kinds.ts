import type { Kind } from './kind.ts';
import { registryConfigEntry } from './kinds/registry-config-entry.ts';
import { registryKey } from './kinds/registry-key.ts';
import { registryPolicy } from './kinds/registry-policy.ts';
import { registryRole } from './kinds/registry-role.ts';
import { registryToken } from './kinds/registry-token.ts';
import { schedulerVariable } from './kinds/scheduler-variable.ts';

/** Every kind of object that a set may contain, in the order of the documentation. */
export const kinds: readonly Kind[] = [
  registryPolicy,
  registryRole,
  registryToken,
  registryConfigEntry,
  registryKey,
  schedulerVariable,
];

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

export const findKind = (name: string): Kind | undefined => byName.get(name);
