import type { AclPolicy } from '../../api/registry-acl.ts';
import { registryPolicy as schema } from '../../objects/registry-acl.ts';
import { aclKind } from './registry-acl-kind.ts';

const builtIn = new Set(['global-management', 'builtin/global-read-only']);

/** A policy of the registry (docs/protocol/registry.md#access-control). */
export const registryPolicy = aclKind<AclPolicy>({
  noun: 'policy',
  plural: 'policies',
  description: 'A policy of the service registry.',
  schema,
  level: 2,
  isBuiltIn: ({ key }) => builtIn.has(key),
  specOf: ({ Description = '', Rules = '', Datacenters }) => ({
    Description,
    Rules,
    Datacenters: [...(Datacenters ?? [])],
  }),
  operations: (registry) => ({
    list: registry.listPolicies,
    read: registry.readPolicy,
    readByName: registry.readPolicyByName,
    create: registry.createPolicy,
    update: registry.updatePolicy,
    remove: registry.deletePolicy,
  }),
});
