import type { AclRole } from '../../api/registry-acl.ts';
import { registryRole as schema } from '../../objects/registry-acl.ts';
import { aclKind } from './registry-acl-kind.ts';
import { grantsOf, linkedObjects } from './registry-grants.ts';

/** A role of the registry (docs/protocol/registry.md#access-control). */
export const registryRole = aclKind<AclRole>({
  noun: 'role',
  plural: 'roles',
  description: 'A role of the service registry: permissions that tokens share.',
  schema,
  level: 3,
  references: (_identity, { Policies }) => linkedObjects('registry.policy', Policies),
  specOf: async (role, services) => ({
    Description: role.Description ?? '',
    ...(await grantsOf(services, role)),
  }),
  operations: (registry) => ({
    list: registry.listRoles,
    read: registry.readRole,
    readByName: registry.readRoleByName,
    create: registry.createRole,
    update: registry.updateRole,
    remove: registry.deleteRole,
  }),
});
