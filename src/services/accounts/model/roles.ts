import { base62 } from '../../core/base62.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { RowOf } from '../../core/store/table.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import { type ChangeBatch, readBatchSize, resourceTable, writeBatch } from './change-log.ts';
import { actions, knownVersion, labels, readOnlyId, scopeInfo, times, updateOf } from './fields.ts';
import { nameLookups } from './unique-names.ts';

const readOnly = 'This is a read only field.';

const principal = s.named(
  'Principal',
  s.object({
    id: s.string(),
    type: s.oneOf(['user']),
    scope_id: s.string('The scope of the user.'),
  }),
);

const grantJson = s.object({
  id: s.omitEmpty(s.optional(s.string())),
  ids: s.omitEmpty(s.list(s.string())),
  type: s.string('`unknown`: the grant states none.'),
  actions: s.omitEmpty(s.list(s.string())),
});

const grant = s.named(
  'Grant',
  s.object({
    raw: s.string('As it was added.'),
    canonical: s.string('The form in which grants are compared.'),
    json: grantJson,
  }),
);

const grantScopeIds = s.omitEmpty(
  s.list(s.string(), '`this`, `children`, `descendants`, or the IDs of scopes.'),
);

/** A role as lists have it. */
export const roleSchema = s.named(
  'Role',
  s.object({
    id: readOnlyId,
    scope_id: s.required(s.string('`global`, an organization or a project.')),
    scope: scopeInfo,
    ...labels,
    ...times,
    grant_scope_ids: s.responseOnly(grantScopeIds),
    authorized_actions: actions,
  }),
);

const members = {
  principal_ids: s.omitEmpty(s.list(s.string())),
  principals: s.omitEmpty(s.list(principal)),
  grant_strings: s.omitEmpty(s.list(s.string(), 'As they were added.')),
  grants: s.omitEmpty(s.list(grant)),
};

export const roleDetailsSchema = s.named(
  'RoleDetails',
  s.object({ ...roleSchema.fields, ...members }, 'A role with its principals and grants.'),
);

/** What a request must not name: actions change it. */
const setByActions = (problem: string, names: readonly (keyof typeof members)[]) =>
  s.each(names, s.responseOnly(s.json(), problem));

export const newRole = s.named(
  'Role',
  s.object({ ...roleSchema.fields, ...setByActions(readOnly, ['principals', 'grants']) }),
);

export const roleUpdate = updateOf('Role', {
  ...labels,
  ...setByActions('This is a read only field and cannot be specified in an update request.', [
    ...(['principal_ids', 'principals', 'grants', 'grant_strings'] as const),
  ]),
});

const required = 'Required field.';

export const rolePrincipals = s.named(
  'RolePrincipals',
  s.object({ version: knownVersion(required), principal_ids: s.list(s.string(), 'IDs of users.') }),
);

export const roleGrants = s.named(
  'RoleGrants',
  s.object({ version: knownVersion(required), grant_strings: s.list(s.string()) }),
);

export const roleGrantScopes = s.named(
  'RoleGrantScopes',
  s.object({
    version: knownVersion(required),
    grant_scope_ids: s.list(s.string(), '`this`, `children`, `descendants`, or the IDs of scopes.'),
  }),
);

/** Where a role is found: by a principal with the scope of the role, and by a scope to which it applies by its ID. */
const principalKey = (principal: string, scope = '') => `role-principals/${principal}/${scope}`;
const grantScopeKey = (scope: string) => `role-grant-scopes/${scope}/`;

export const thisScope = 'this';
export const children = 'children';
export const descendants = 'descendants';

/** Whether an item of `grantScopes` is the ID of a scope. */
export const isScopeId = (grantScope: string): boolean =>
  ![thisScope, children, descendants].includes(grantScope);

export const roles = resourceTable(
  'roles/',
  {
    ...labels,
    scope: s.string(),
    /** IDs of users, in the order in which they were added. */
    principals: s.list(s.string()),
    grants: s.list(s.object({ raw: s.string(), canonical: s.string() })),
    /** `this`, `children`, `descendants`, or IDs of scopes. */
    grantScopes: s.list(s.string()),
  },
  ({ scope }) => roleCollection(scope),
).with({
  lookups: (role) => [
    ...nameLookups(roleCollection(role.scope), role),
    ...role.principals.map((each) => ({ key: `${principalKey(each, role.scope)}/${role.id}`, value: true })),
    ...role.grantScopes
      .filter(isScopeId)
      .map((each) => ({ key: grantScopeKey(each) + role.id, value: true })),
  ],
});
export type Role = RowOf<typeof roles>;

export const roleCollection = (scope: string): string => `roles/${scope}`;

export const newRoleId = (random: (length: number) => Uint8Array): string => `r_${base62(10, random)}`;

const rolesBelow = (storage: Storage, prefix: string, limit?: number): Role[] =>
  storage
    .keysAfter(prefix, '', limit ?? Number.POSITIVE_INFINITY)
    .flatMap((key) => roles.get(storage, key.slice(key.lastIndexOf('/') + 1)) ?? []);

/** The roles of a scope that a principal has. */
export const rolesOfPrincipal = (storage: Storage, principal: string, scope: string): Role[] =>
  rolesBelow(storage, `${principalKey(principal, scope)}/`);

/** Takes a user out of the roles that have it, in batches. As in the product, their versions stay. */
export async function removePrincipal(storage: Storage, user: string, now: string): Promise<void> {
  await changeInBatches(storage, principalKey(user), (role) => ({
    ...role,
    principals: role.principals.filter((id) => id !== user),
    updatedAt: now,
  }));
}

/** Takes a scope out of the roles that apply to it by its ID, in the same way. */
export async function removeGrantScope(storage: Storage, scope: string, now: string): Promise<void> {
  await changeInBatches(storage, grantScopeKey(scope), (role) => ({
    ...role,
    grantScopes: role.grantScopes.filter((id) => id !== scope),
    updatedAt: now,
  }));
}

/** Changes the roles that are found below a key, which they are not any more after the change. */
async function changeInBatches(
  storage: Storage,
  prefix: string,
  change: (role: Role) => Role,
): Promise<void> {
  for (;;) {
    const found = rolesBelow(storage, prefix, readBatchSize);
    if (found.length === 0) return;
    await writeBatch(storage, (batch) => {
      for (const role of found) roles.write(batch, change(role), role);
    });
    await yieldToEventLoop();
  }
}

type Draft = Pick<Role, 'id' | 'scope' | 'name' | 'description' | 'principals' | 'grantScopes'> & {
  readonly grants: readonly string[];
};

/** Adds a role whose grants are in canonical form. */
export function addRole(batch: ChangeBatch, { grants, ...role }: Draft, now: string): Role {
  const canonical = grants.map((grant) => ({ raw: grant, canonical: grant }));
  return roles.create(batch, { ...role, grants: canonical }, now);
}
