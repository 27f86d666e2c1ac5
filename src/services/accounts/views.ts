import type { Json } from '../../wire/json.ts';
import type { Storage } from '../core/store/storage.ts';
import { isAdmin } from './auth.ts';
import type { Call } from './call.ts';
import { type Account, accountOf } from './model/accounts.ts';
import { type AuthMethod, methodOf, primaryMethodOf } from './model/auth-methods.ts';
import { globalScope, type Scope, scopeOf } from './model/scopes.ts';
import { scopeOfToken, type Token } from './model/tokens.ts';
import { accountsOfUser, type User, userIdOf } from './model/users.ts';

type FieldValues = { readonly [name: string]: Json | undefined };

/** An account in a response, without empty fields (docs/protocol/accounts.md#endpoints). */
export function accountView(call: Call, account: Account): object {
  const method = methodOf(call.service.storage, account.method);
  return withoutEmptyFields({
    id: account.id,
    scope: scopeInfo(call.service.storage, method?.scope ?? globalScope),
    name: account.name,
    description: account.description,
    ...commonFields(account),
    type: account.type,
    auth_method_id: account.method,
    attributes: account.attributes,
    authorized_actions: accountActions(call, account),
  });
}

function accountActions(call: Call, { type }: Account): string[] {
  const password = type === 'password';
  if (!isAdmin(call)) return password ? ['read', 'change-password'] : ['read'];
  return ['no-op', 'read', 'update', 'delete', ...(password ? ['set-password', 'change-password'] : [])];
}

/** An auth method; only the administrator sees its attributes, and callers without a token not its times. */
export function methodView(call: Call, method: AuthMethod): object {
  const asAdmin = isAdmin(call);
  const authenticate = method.type === 'password' ? ['authenticate'] : [];
  return withoutEmptyFields({
    id: method.id,
    scope_id: method.scope,
    scope: scopeInfo(call.service.storage, method.scope),
    name: method.name,
    description: method.description,
    ...(call.caller && commonFields(method)),
    type: method.type,
    ...(asAdmin && { attributes: method.attributes }),
    is_primary: primaryMethodOf(call.service.storage, method.scope) === method.id ? true : undefined,
    authorized_actions: ['no-op', ...(asAdmin ? ['read', 'update', 'delete'] : []), ...authenticate],
    ...(asAdmin && { authorized_collection_actions: { accounts: ['create', 'list'] } }),
  });
}

/** A scope alone: as in the product, that of an organization has no `authorized_collection_actions`. */
export const scopeView = (call: Call, scope: Scope): object =>
  withoutEmptyFields({
    ...scopeFields(call, scope),
    authorized_collection_actions: scope.type === 'global' ? collectionActions(call) : undefined,
  });

/** A scope in a list. */
export const scopeInListView = (call: Call, scope: Scope): object =>
  withoutEmptyFields({
    ...scopeFields(call, scope),
    // Nothing that this service has can be created in a project.
    authorized_collection_actions: scope.type === 'project' ? undefined : collectionActions(call),
  });

/** Callers without a token do not see the times of a scope. */
function scopeFields(call: Call, scope: Scope): FieldValues {
  return {
    id: scope.id,
    scope_id: scope.parent,
    // As in the product, the global scope is its own.
    scope: scopeInfo(call.service.storage, scope.parent || globalScope),
    name: scope.name,
    description: scope.description,
    ...(call.caller && commonFields(scope)),
    type: scope.type,
    primary_auth_method_id: primaryMethodOf(call.service.storage, scope.id),
    authorized_actions: scopeActions(call, scope),
  };
}

/** What the caller may do with the collections in a scope. */
function collectionActions(call: Call): Json {
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

/** The fields of a token without its secret (docs/protocol/accounts.md#logins-and-ids). */
export function tokenFields(storage: Storage, token: Token): { readonly [name: string]: Json } {
  const { id, account, createdAt, expiresAt } = token;
  return {
    id,
    scope_id: scopeOfToken(token),
    user_id: userIdOf(storage, account) ?? '',
    auth_method_id: accountOf(storage, account)?.method ?? '',
    account_id: account,
    created_time: createdAt,
    updated_time: createdAt,
    approximate_last_used_time: createdAt,
    // Zero values are omitted (docs/protocol/accounts.md#endpoints).
    ...(expiresAt !== null && { expiration_time: expiresAt }),
  };
}

export function tokenView(call: Call, token: Token): object {
  const { storage } = call.service;
  const own = token.account === call.caller?.id ? ['read:self', 'delete:self'] : [];
  return {
    ...tokenFields(storage, token),
    scope: scopeInfo(storage, scopeOfToken(token)),
    authorized_actions: [...(isAdmin(call) ? ['no-op', 'read', 'delete'] : []), ...own],
  };
}

/** A user in a list. Its primary account is that of the primary auth method of its scope. */
export function userView(call: Call, user: User): { readonly [name: string]: Json } {
  const { storage } = call.service;
  const primary = accountsOfUser(storage, user.id)
    .map((id) => accountOf(storage, id))
    .find((account) => account && account.method === primaryMethodOf(storage, user.scope));
  return withoutEmptyFields({
    id: user.id,
    scope_id: user.scope,
    scope: scopeInfo(storage, user.scope),
    name: user.name,
    description: user.description,
    ...commonFields(user),
    login_name: primary?.attributes.login_name,
    primary_account_id: primary?.id,
    authorized_actions: [
      ...['no-op', 'read', 'update', 'delete'],
      ...['add-accounts', 'set-accounts', 'remove-accounts'],
    ],
  });
}

/** A user with its accounts. */
export function userDetails(call: Call, user: User): object {
  const ids = accountsOfUser(call.service.storage, user.id);
  if (ids.length === 0) return userView(call, user);
  return {
    ...userView(call, user),
    account_ids: ids,
    accounts: ids.map((id) => ({ id, scope_id: user.scope })),
  };
}

function scopeInfo(storage: Storage, id: string): Json {
  const scope = scopeOf(storage, id);
  return withoutEmptyFields({
    id,
    type: scope?.type,
    name: scope?.name,
    description: scope?.description,
    parent_scope_id: scope?.parent,
  });
}

function commonFields({ createdAt, updatedAt, version }: Pick<Scope, 'createdAt' | 'updatedAt' | 'version'>) {
  return { created_time: createdAt, updated_time: updatedAt, version };
}

/** Without fields that are absent, null or empty. */
function withoutEmptyFields(fields: FieldValues): { [name: string]: Json } {
  const present = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(present) as { [name: string]: Json };
}
