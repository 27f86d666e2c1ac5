import type { ChangeBatch } from './change-log.ts';
import { addRole, descendants, newRoleId, type Role, thisScope } from './roles.ts';
import { globalScope, type Scope } from './scopes.ts';

// The roles that the product makes (Boundary 0.21: `internal/iam/repository_scope.go`, `internal/cmd/base`).

interface Parts {
  readonly now: string;
  readonly random: (length: number) => Uint8Array;
}

/** Gives a user every permission in a new scope. */
export function addAdminRole(batch: ChangeBatch, { id }: Scope, user: string, { now, random }: Parts): Role {
  const role = {
    id: newRoleId(random),
    scope: id,
    name: 'Administration',
    description: `Role created for administration of scope ${id} by user ${user} at its creation time`,
    principals: [user],
    grants: ['ids=*;type=*;actions=*'],
    grantScopes: [thisScope],
  };
  return addRole(batch, role, now);
}

/** Lets the users of a new organization log in and use their own account; in a project, what every user may do. */
export function addDefaultRole(batch: ChangeBatch, { id, type }: Scope, { now, random }: Parts): Role {
  const role = { id: newRoleId(random), scope: id, grantScopes: [thisScope] };
  const ofProject = {
    name: 'Default Grants',
    description: `Role created to provide default grants to users of scope ${id} at its creation time`,
    principals: ['u_auth'],
    grants: ['ids=*;type=session;actions=cancel:self,list,read:self', 'type=target;actions=list'],
  };
  const ofOrganization = {
    name: 'Login and Default Grants',
    description: `Role created for login capability, account self-management, and other default grants for users of scope ${id} at its creation time`,
    principals: ['u_anon'],
    grants: [
      'ids=*;type=scope;actions=list,no-op',
      'ids=*;type=auth-method;actions=authenticate,list',
      'ids={{.Account.Id}};actions=change-password,read',
      'ids=*;type=auth-token;actions=delete:self,list,read:self',
    ],
  };
  return addRole(batch, { ...role, ...(type === 'project' ? ofProject : ofOrganization) }, now);
}

/** The role of the administrator, with a fixed ID: a start restores it. */
export const adminRoleId = 'r_1234567890';

export const adminRole = (user: string) => ({
  id: adminRoleId,
  scope: globalScope,
  name: 'Administration',
  description: 'Provides admin grants within all scopes to the initial admin user',
  principals: [user],
  grants: ['ids=*;type=*;actions=*'],
  grantScopes: [thisScope, descendants],
});

/** Adds the roles that let everybody log in, and users use their own account. */
export function addLoginRoles(batch: ChangeBatch, { now, random }: Parts): void {
  const everywhere = { scope: globalScope, grantScopes: [thisScope, descendants] };
  addRole(
    batch,
    {
      ...everywhere,
      id: newRoleId(random),
      name: 'Login Grants',
      description: 'Role created for login capability for unauthenticated users',
      principals: ['u_anon'],
      grants: [
        'ids=*;type=scope;actions=list,no-op',
        'ids=*;type=auth-method;actions=authenticate,list',
        'ids=*;type=auth-token;actions=delete:self,read:self',
      ],
    },
    now,
  );
  addRole(
    batch,
    {
      ...everywhere,
      id: newRoleId(random),
      name: 'Authenticated User Grants',
      description: 'Role created for account self-management, and other initial authenticated user grants',
      principals: ['u_auth'],
      grants: [
        'ids=*;type=scope;actions=read',
        'ids=*;type=auth-token;actions=list',
        'ids={{.Account.Id}};actions=change-password,read',
        'ids=*;type=session;actions=cancel:self,list,read:self',
        'ids={{.User.Id}};type=user;actions=list-resolvable-aliases',
        'ids=*;type=target;actions=authorize-session,list,read',
      ],
    },
    now,
  );
}
