import * as v from 'valibot';
import type { accountRole, accountScope, accountUser } from '../objects/account-access.ts';
import type { FieldsOf } from '../objects/schema.ts';
import type * as wire from '../wire/responses/accounts.ts';
import { checked, noContentOr, shown, someFields, text, texts } from './decode.ts';
import { operationBuilders } from './operation-builders.ts';

const { get, post, patch, remove } = operationBuilders('accounts');

const common = {
  id: v.string(),
  /** Each change increases it. */
  version: v.number(),
  scope: v.nullish(v.looseObject(shown<wire.Scope>({ id: text, type: text, name: text }))),
};
const labels = {
  ...v.entriesFromList(['scope_id', 'name', 'description', 'created_time', 'updated_time'], text),
  authorized_actions: texts,
};

const user = v.looseObject({
  ...common,
  ...shown<wire.AccountUser>({
    ...labels,
    ...v.entriesFromList(['login_name', 'full_name', 'email', 'primary_account_id'], text),
    account_ids: texts,
  }),
});

const principal = v.looseObject(shown<wire.Principal>({ id: text, type: text, scope_id: text }));

const role = v.looseObject({
  ...common,
  ...shown<wire.AccountRole>({
    ...labels,
    ...v.entriesFromList(['grant_scope_ids', 'principal_ids', 'grant_strings'], texts),
    principals: v.nullish(v.array(principal)),
  }),
});

const scope = v.looseObject({
  ...common,
  ...shown<wire.AccountScope>({ ...labels, type: text, primary_auth_method_id: text }),
});

/** Lists omit the versions of objects that a caller without a token may see. */
const listed = <Entries extends v.ObjectEntries>(item: v.LooseObjectSchema<Entries, undefined>) =>
  v.looseObject({ ...item.entries, version: v.optional(v.number()) });

const listOf = <Entries extends v.ObjectEntries>(item: v.LooseObjectSchema<Entries, undefined>) =>
  checked(
    v.looseObject({
      items: v.nullish(v.array(listed(item))),
      ...shown<wire.Page>({ response_type: text, list_token: v.nullish(v.string()) }),
    }),
  );

export type AccountUser = v.InferInput<typeof user>;
export type AccountRole = v.InferInput<typeof role>;
export type AccountScope = v.InferInput<typeof scope>;

interface ListOf {
  scope_id: string;
  filter?: string | undefined;
  list_token?: string | undefined;
  /** `true`: also of the scopes below. */
  recursive?: 'true' | undefined;
}

/** An object, and its expected version. */
interface Guarded {
  id: string;
  version: number;
}

/** The fields of a change; null clears a field, an absent one is unchanged. */
type Changes<Fields> = { [Name in keyof Fields]?: Fields[Name] | null };

const query = ['scope_id', 'recursive', 'filter', 'list_token'] as const;
const accepts = [200, 201];
const asUser = checked(user);
const asRole = checked(role);
const asScope = checked(scope);
const deleted = noContentOr(someFields);

const users = '/v1/users';
const userPath = `${users}/{id}`;
const roles = '/v1/roles';
const rolePath = `${roles}/{id}`;
const scopes = '/v1/scopes';
const scopePath = `${scopes}/{id}`;

type RoleLabels = Omit<FieldsOf<typeof accountRole>, 'grant_scope_ids'>;

/** The operations of users, roles and scopes (docs/protocol/accounts.md#endpoints). */
export const accessOperations = {
  listUsers: get<ListOf>('list users', users, { query })(listOf(user)),
  // A user is looked up by its name, and likewise below.
  findUsers: get<ListOf>('list users', users, { query, isLookup: true })(listOf(user)),
  createUser: post<{ scope_id: string } & FieldsOf<typeof accountUser>>('create user', users, { accepts })(
    asUser,
  ),
  readUser: get<{ id: string }>('read user', userPath)(asUser),
  updateUser: patch<Guarded & Changes<FieldsOf<typeof accountUser>>>('update user', userPath)(asUser),
  deleteUser: remove<{ id: string }>('delete user', userPath)(deleted),
  addUserAccounts: post<Guarded & { account_ids: readonly string[] }>(
    'add accounts to user',
    `${userPath}:add-accounts`,
  )(asUser),
  removeUserAccounts: post<Guarded & { account_ids: readonly string[] }>(
    'remove accounts from user',
    `${userPath}:remove-accounts`,
  )(asUser),
  // Only these accounts are left.
  setUserAccounts: post<Guarded & { account_ids: readonly string[] }>(
    'set accounts of user',
    `${userPath}:set-accounts`,
  )(asUser),

  listRoles: get<ListOf>('list roles', roles, { query })(listOf(role)),
  findRoles: get<ListOf>('list roles', roles, { query, isLookup: true })(listOf(role)),
  createRole: post<{ scope_id: string } & RoleLabels>('create role', roles, { accepts })(asRole),
  readRole: get<{ id: string }>('read role', rolePath)(asRole),
  updateRole: patch<Guarded & Changes<RoleLabels>>('update role', rolePath)(asRole),
  deleteRole: remove<{ id: string }>('delete role', rolePath)(deleted),
  addRoleGrants: post<Guarded & { grant_strings: readonly string[] }>(
    'add grants to role',
    `${rolePath}:add-grants`,
  )(asRole),
  removeRoleGrants: post<Guarded & { grant_strings: readonly string[] }>(
    'remove grants from role',
    `${rolePath}:remove-grants`,
  )(asRole),
  addRolePrincipals: post<Guarded & { principal_ids: readonly string[] }>(
    'add principals to role',
    `${rolePath}:add-principals`,
  )(asRole),
  removeRolePrincipals: post<Guarded & { principal_ids: readonly string[] }>(
    'remove principals from role',
    `${rolePath}:remove-principals`,
  )(asRole),
  setRoleGrants: post<Guarded & { grant_strings: readonly string[] }>(
    'set grants of role',
    `${rolePath}:set-grants`,
  )(asRole),
  setRolePrincipals: post<Guarded & { principal_ids: readonly string[] }>(
    'set principals of role',
    `${rolePath}:set-principals`,
  )(asRole),
  setRoleGrantScopes: post<Guarded & { grant_scope_ids: readonly string[] }>(
    'set grant scopes of role',
    `${rolePath}:set-grant-scopes`,
  )(asRole),

  // Everybody may list scopes by default.
  listScopes: get<ListOf>('list scopes', scopes, { query, token: 'optional' })(listOf(scope)),
  findScopes: get<ListOf>('list scopes', scopes, { query, token: 'optional', isLookup: true })(listOf(scope)),
  // Without the flags, the service gives the creator a role for everything, and everybody one for logins.
  createScope: post<
    {
      scope_id: string;
      skip_admin_role_creation?: 'true' | undefined;
      skip_default_role_creation?: 'true' | undefined;
    } & Omit<FieldsOf<typeof accountScope>, 'primary_auth_method_id'>
  >('create scope', scopes, {
    accepts,
    query: ['skip_admin_role_creation', 'skip_default_role_creation'],
  })(asScope),
  readScope: get<{ id: string }>('read scope', scopePath)(asScope),
  updateScope: patch<Guarded & Changes<FieldsOf<typeof accountScope>>>('update scope', scopePath)(asScope),
  deleteScope: remove<{ id: string }>('delete scope', scopePath)(deleted),
} as const;
