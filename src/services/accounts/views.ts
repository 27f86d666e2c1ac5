import type { Storage } from '../core/store/storage.ts';
import type { Table } from '../core/store/table.ts';
import {
  accountsTarget,
  accountTarget,
  methodTarget,
  roleTarget,
  scopeTarget,
  tokenTarget,
  userTarget,
} from './auth.ts';
import { type Account, accounts } from './model/accounts.ts';
import { type AuthMethod, authMethods, primaryMethodOf } from './model/auth-methods.ts';
import type { Role } from './model/roles.ts';
import { globalScope, type Scope, scopes } from './model/scopes.ts';
import { scopeOfToken, type Token } from './model/tokens.ts';
import { accountsOfUser, type User, userIdOf, users } from './model/users.ts';
import type { Access, ScopedTarget } from './permissions/access.ts';
import { parseGrant } from './permissions/grants.ts';
import { selectFields } from './permissions/output-fields.ts';
import type { ResourceType } from './permissions/types.ts';

// Objects of responses. They may have fields that their schema does not have: these are not sent.

/** What a caller sees of a row; null: a list leaves it out, as the caller may do nothing with it. */
export type View<Row> = (access: Access, row: Row) => object | null;

export const viewsOf =
  <Row extends object>(table: Table<Row>, view: View<Row>) =>
  (access: Access, id: string) => {
    const row = table.get(access.storage, id);
    return row && view(access, row);
  };

const changes = ['no-op', 'read', 'update', 'delete'];
const accountActions = ['add-accounts', 'set-accounts', 'remove-accounts'];
const roleActions = ['principals', 'grants', 'grant-scopes'].flatMap((each) =>
  ['add', 'set', 'remove'].map((verb) => `${verb}-${each}`),
);

const shown = <Row extends Pick<Scope, 'createdAt' | 'updatedAt'>>(row: Row) => ({
  ...row,
  created_time: row.createdAt,
  updated_time: row.updatedAt,
});

function seen(
  access: Access,
  target: ScopedTarget,
  actions: readonly string[],
  view: () => object,
): object | null {
  const permitted = access.permitted(target, actions);
  if (access.requested.action === 'list' && permitted.length === 0) return null;
  return selectFields({ ...view(), authorized_actions: permitted }, access.fieldsOf(target));
}

export function accountView(access: Access, account: Account): object | null {
  const { storage } = access;
  const method = authMethods.get(storage, account.method);
  if (!method) return null;
  const { password: _secret, ...fields } = account;
  const passwords = account.type === 'password' ? ['set-password', 'change-password'] : [];
  return seen(access, accountTarget(account, method), [...changes, ...passwords], () => ({
    ...shown(fields),
    scope: scopeInfo(storage, method.scope),
    auth_method_id: account.method,
  }));
}

export function methodView(access: Access, method: AuthMethod): object | null {
  const { storage } = access;
  const own = method.type === 'oidc' ? ['change-state', 'authenticate'] : ['authenticate'];
  return seen(access, methodTarget(method), [...changes, ...own], () => ({
    ...shown(method),
    scope_id: method.scope,
    scope: scopeInfo(storage, method.scope),
    is_primary: primaryMethodOf(storage, method.scope) === method.id,
    authorized_collection_actions: byCollection(access, {
      accounts: [accountsTarget(method), ['create', 'list']],
    }),
  }));
}

export function scopeView(access: Access, scope: Scope): object | null {
  const { storage } = access;
  const actions = scope.id === globalScope ? changes.filter((each) => each !== 'delete') : changes;
  return seen(access, scopeTarget(scope), actions, () => ({
    ...shown(scope),
    scope_id: scope.parent,
    // As in the product, the global scope is its own.
    scope: scopeInfo(storage, scope.parent || globalScope),
    primary_auth_method_id: primaryMethodOf(storage, scope.id),
    authorized_collection_actions: collectionActions(access, scope),
  }));
}

/** Actions on what this service has in a scope. */
function collectionActions(access: Access, { id, type }: Scope): object {
  const of = (each: ResourceType, actions = ['create', 'list']) =>
    [{ type: each, scope: id }, actions] as const;
  return byCollection(access, {
    ...(type !== 'project' && {
      'auth-methods': of('auth-method'),
      'auth-tokens': of('auth-token', ['list']),
    }),
    roles: of('role'),
    ...(type !== 'project' && { scopes: of('scope'), users: of('user') }),
  });
}

type Collections = { readonly [name: string]: readonly [target: ScopedTarget, actions: readonly string[]] };

const byCollection = (access: Access, collections: Collections): object =>
  Object.fromEntries(
    Object.entries(collections)
      .map(([name, [target, actions]]) => [name, access.permitted(target, actions)] as const)
      .filter(([, permitted]) => permitted.length > 0),
  );

/** A token without its secret (docs/protocol/accounts.md#logins-and-ids). */
export function tokenDetails(storage: Storage, token: Token) {
  const { id, account, createdAt, expiresAt } = token;
  return {
    id,
    scope_id: scopeOfToken(token),
    user_id: userIdOf(storage, account) ?? '',
    auth_method_id: accounts.get(storage, account)?.method ?? '',
    account_id: account,
    created_time: createdAt,
    updated_time: createdAt,
    approximate_last_used_time: createdAt,
    expiration_time: expiresAt,
  };
}

/** Whether a token is one of the caller's user. */
export const isOwnToken = ({ storage, caller }: Access, { account }: Token): boolean =>
  userIdOf(storage, account) === caller.user;

const tokenActions = ['no-op', 'read', 'read:self', 'delete', 'delete:self'];

/** Tokens of others are left out for a caller that may use only its own. */
export function tokenView(access: Access, token: Token): object | null {
  const { storage } = access;
  const target = tokenTarget(token);
  const isOnlySelf = access.permitted(target, tokenActions).every((action) => action.endsWith(':self'));
  if (isOnlySelf && !isOwnToken(access, token)) return null;
  return seen(access, target, tokenActions, () => ({
    ...tokenDetails(storage, token),
    scope: scopeInfo(storage, scopeOfToken(token)),
  }));
}

/** A user in a list. Its primary account is in the primary auth method of its scope. */
export const userView = (access: Access, user: User): object | null =>
  seen(access, userTarget(user), [...changes, ...accountActions], () => userFields(access, user));

/** A user with its accounts. */
export function userDetails(access: Access, user: User): object | null {
  const ids = accountsOfUser(access.storage, user.id);
  return seen(access, userTarget(user), [...changes, ...accountActions], () => ({
    ...userFields(access, user),
    account_ids: ids,
    accounts: ids.map((id) => ({ id, scope_id: user.scope })),
  }));
}

function userFields({ storage }: Access, user: User): object {
  const primary = accountsOfUser(storage, user.id)
    .map((id) => accounts.get(storage, id))
    .find((account) => account && account.method === primaryMethodOf(storage, user.scope));
  return {
    ...shown(user),
    scope_id: user.scope,
    scope: scopeInfo(storage, user.scope),
    login_name: primary?.attributes.login_name,
    primary_account_id: primary?.id,
  };
}

/** A role in a list. */
export const roleView = (access: Access, role: Role): object | null =>
  seen(access, roleTarget(role), [...changes, ...roleActions], () => roleFields(access, role));

/** A role with its principals and grants. */
export const roleDetails = (access: Access, role: Role): object | null =>
  seen(access, roleTarget(role), [...changes, ...roleActions], () => ({
    ...roleFields(access, role),
    principal_ids: role.principals,
    principals: role.principals.map((id) => ({
      id,
      type: 'user',
      scope_id: users.get(access.storage, id)?.scope ?? globalScope,
    })),
    grant_strings: role.grants.map(({ raw }) => raw),
    grants: role.grants.map(({ raw, canonical }) => ({ raw, canonical, json: grantJson(canonical) })),
  }));

function roleFields({ storage }: Access, role: Role): object {
  return {
    ...shown(role),
    scope_id: role.scope,
    scope: scopeInfo(storage, role.scope),
    grant_scope_ids: role.grantScopes.toSorted(),
  };
}

function grantJson(text: string): object {
  const { type = 'unknown', id, ids, actions } = parseGrant(text);
  return { ...(id !== undefined && { id }), ids, type, actions };
}

function scopeInfo(storage: Storage, id: string): object {
  const scope = scopes.get(storage, id);
  return { ...scope, id, parent_scope_id: scope?.parent };
}
