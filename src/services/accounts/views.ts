import type { Storage } from '../core/store/storage.ts';
import type { Table } from '../core/store/table.ts';
import { isAdmin } from './auth.ts';
import type { Call } from './call.ts';
import { type Account, accounts } from './model/accounts.ts';
import { type AuthMethod, authMethods, primaryMethodOf } from './model/auth-methods.ts';
import { globalScope, type Scope, scopes } from './model/scopes.ts';
import { scopeOfToken, type Token } from './model/tokens.ts';
import { accountsOfUser, type User, userIdOf } from './model/users.ts';

// Objects of responses. They may have fields that their schema does not have: these are not sent.

const shown = <Row extends Pick<Scope, 'createdAt' | 'updatedAt'>>(row: Row) => ({
  ...row,
  created_time: row.createdAt,
  updated_time: row.updatedAt,
});

export const viewsOf =
  <Row extends object>(table: Table<Row>, view: (call: Call, row: Row) => object) =>
  (call: Call, id: string) => {
    const row = table.get(call.service.storage, id);
    return row && view(call, row);
  };

const hiddenTimes = { created_time: undefined, updated_time: undefined, version: undefined };

export function accountView(call: Call, { password: _secret, ...account }: Account): object {
  const { storage } = call.service;
  return {
    ...shown(account),
    scope: scopeInfo(storage, authMethods.get(storage, account.method)?.scope ?? globalScope),
    auth_method_id: account.method,
    authorized_actions: accountActions(call, account),
  };
}

function accountActions(call: Call, { type }: Pick<Account, 'type'>): string[] {
  const password = type === 'password';
  if (!isAdmin(call)) return password ? ['read', 'change-password'] : ['read'];
  return ['no-op', 'read', 'update', 'delete', ...(password ? ['set-password', 'change-password'] : [])];
}

/** An auth method; only the administrator sees its attributes, and callers without a token not its times. */
export function methodView(call: Call, method: AuthMethod): object {
  const { storage } = call.service;
  const asAdmin = isAdmin(call);
  const authenticate = method.type === 'password' ? ['authenticate'] : [];
  return {
    ...shown(method),
    scope_id: method.scope,
    scope: scopeInfo(storage, method.scope),
    ...(!call.caller && hiddenTimes),
    attributes: asAdmin ? method.attributes : undefined,
    is_primary: primaryMethodOf(storage, method.scope) === method.id,
    authorized_actions: ['no-op', ...(asAdmin ? ['read', 'update', 'delete'] : []), ...authenticate],
    authorized_collection_actions: asAdmin ? { accounts: ['create', 'list'] } : {},
  };
}

/** A scope alone: as in the product, an organization has no `authorized_collection_actions`. */
export const scopeView = (call: Call, scope: Scope): object => ({
  ...scopeInListView(call, scope),
  ...(scope.type !== 'global' && { authorized_collection_actions: {} }),
});

/** A scope in a list. Callers without a token do not see its times. */
export function scopeInListView(call: Call, scope: Scope): object {
  const { storage } = call.service;
  return {
    ...shown(scope),
    scope_id: scope.parent,
    // As in the product, the global scope is its own.
    scope: scopeInfo(storage, scope.parent || globalScope),
    ...(!call.caller && hiddenTimes),
    primary_auth_method_id: primaryMethodOf(storage, scope.id),
    authorized_actions: scopeActions(call, scope),
    // Nothing that this service has can be created in a project.
    authorized_collection_actions: scope.type === 'project' ? {} : collectionActions(call),
  };
}

function collectionActions(call: Call): object {
  const asAdmin = isAdmin(call);
  const actions = asAdmin ? ['create', 'list'] : ['list'];
  return {
    'auth-methods': actions,
    ...(call.caller && { 'auth-tokens': ['list'] }),
    scopes: actions,
    ...(asAdmin && { users: actions }),
  };
}

function scopeActions(call: Call, { id }: Scope): string[] {
  if (!isAdmin(call)) return call.caller ? ['no-op', 'read'] : ['no-op'];
  return ['no-op', 'read', 'update', ...(id === globalScope ? [] : ['delete'])];
}

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

export function tokenView(call: Call, token: Token): object {
  const { storage } = call.service;
  const own = token.account === call.caller?.id ? ['read:self', 'delete:self'] : [];
  return {
    ...tokenDetails(storage, token),
    scope: scopeInfo(storage, scopeOfToken(token)),
    authorized_actions: [...(isAdmin(call) ? ['no-op', 'read', 'delete'] : []), ...own],
  };
}

/** A user in a list. Its primary account is in the primary auth method of its scope. */
export function userView(call: Call, user: User): object {
  const { storage } = call.service;
  const primary = accountsOfUser(storage, user.id)
    .map((id) => accounts.get(storage, id))
    .find((account) => account && account.method === primaryMethodOf(storage, user.scope));
  return {
    ...shown(user),
    scope_id: user.scope,
    scope: scopeInfo(storage, user.scope),
    login_name: primary?.attributes.login_name,
    primary_account_id: primary?.id,
    authorized_actions: [
      ...['no-op', 'read', 'update', 'delete'],
      ...['add-accounts', 'set-accounts', 'remove-accounts'],
    ],
  };
}

/** A user with its accounts. */
export function userDetails(call: Call, user: User): object {
  const ids = accountsOfUser(call.service.storage, user.id);
  return {
    ...userView(call, user),
    account_ids: ids,
    accounts: ids.map((id) => ({ id, scope_id: user.scope })),
  };
}

function scopeInfo(storage: Storage, id: string): object {
  const scope = scopes.get(storage, id);
  return { ...scope, id, parent_scope_id: scope?.parent };
}
