import type { Json } from '../../wire/json.ts';
import type { Storage } from '../core/store/storage.ts';
import { isAdmin } from './auth.ts';
import type { Call } from './call.ts';
import type { Account } from './model/accounts.ts';
import { type AuthMethod, methodOf, primaryMethodOf } from './model/auth-methods.ts';
import { globalScope, type Scope, scopeOf } from './model/scopes.ts';

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

/** An auth method; only the administrator sees its attributes. */
export function methodView(call: Call, method: AuthMethod): object {
  const asAdmin = isAdmin(call);
  const authenticate = method.type === 'password' ? ['authenticate'] : [];
  return withoutEmptyFields({
    id: method.id,
    scope_id: method.scope,
    scope: scopeInfo(call.service.storage, method.scope),
    name: method.name,
    description: method.description,
    ...commonFields(method),
    type: method.type,
    ...(asAdmin && { attributes: method.attributes }),
    is_primary: primaryMethodOf(call.service.storage, method.scope) === method.id ? true : undefined,
    authorized_actions: asAdmin ? ['no-op', 'read', ...authenticate] : ['no-op', ...authenticate],
    ...(asAdmin && { authorized_collection_actions: { accounts: ['create', 'list'] } }),
  });
}

export function scopeView(call: Call, scope: Scope): object {
  const asAdmin = isAdmin(call);
  const collections = scope.type === 'project' ? [] : ['auth-methods', 'scopes'];
  return withoutEmptyFields({
    id: scope.id,
    scope_id: scope.parent,
    scope: scope.parent === '' ? undefined : scopeInfo(call.service.storage, scope.parent),
    name: scope.name,
    description: scope.description,
    ...commonFields(scope),
    type: scope.type,
    primary_auth_method_id: primaryMethodOf(call.service.storage, scope.id),
    authorized_actions: asAdmin ? ['no-op', 'read', 'update'] : ['no-op'],
    ...(asAdmin && {
      authorized_collection_actions: Object.fromEntries(
        collections.map((name) => [name, ['create', 'list']]),
      ),
    }),
  });
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
