import type { Json } from '../../wire/json.ts';
import type { PagedStorage } from '../storage.ts';
import { isAdmin } from './access.ts';
import type { Call } from './http/call.ts';
import type { Account } from './state/accounts.ts';
import { type AuthMethod, methodOf, primaryMethodOf } from './state/auth-methods.ts';
import { globalScope, type Scope, scopeOf } from './state/scopes.ts';

type View = { readonly [name: string]: Json | undefined };

/**
 * An account as it is answered: bare, without members that have nothing to tell (docs/protocol/accounts.md#endpoints).
 */
export function accountView(call: Call, account: Account): object {
  const method = methodOf(call.service.storage, account.method);
  return telling({
    id: account.id,
    scope: scopeInfo(call.service.storage, method?.scope ?? globalScope),
    name: account.name,
    description: account.description,
    ...times(account),
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

/** An auth method; how it is set up is told to who set it up. */
export function methodView(call: Call, method: AuthMethod): object {
  const admin = isAdmin(call);
  const authenticate = method.type === 'password' ? ['authenticate'] : [];
  return telling({
    id: method.id,
    scope_id: method.scope,
    scope: scopeInfo(call.service.storage, method.scope),
    name: method.name,
    description: method.description,
    ...times(method),
    type: method.type,
    ...(admin && { attributes: method.attributes }),
    is_primary: primaryMethodOf(call.service.storage, method.scope) === method.id ? true : undefined,
    authorized_actions: admin ? ['no-op', 'read', ...authenticate] : ['no-op', ...authenticate],
    ...(admin && { authorized_collection_actions: { accounts: ['create', 'list'] } }),
  });
}

export function scopeView(call: Call, scope: Scope): object {
  const admin = isAdmin(call);
  const inside = scope.type === 'project' ? [] : ['auth-methods', 'scopes'];
  return telling({
    id: scope.id,
    scope_id: scope.parent,
    scope: scope.parent === '' ? undefined : scopeInfo(call.service.storage, scope.parent),
    name: scope.name,
    description: scope.description,
    ...times(scope),
    type: scope.type,
    primary_auth_method_id: primaryMethodOf(call.service.storage, scope.id),
    authorized_actions: admin ? ['no-op', 'read', 'update'] : ['no-op'],
    ...(admin && {
      authorized_collection_actions: Object.fromEntries(inside.map((name) => [name, ['create', 'list']])),
    }),
  });
}

function scopeInfo(storage: PagedStorage, id: string): Json {
  const scope = scopeOf(storage, id);
  return telling({
    id,
    type: scope?.type,
    name: scope?.name,
    description: scope?.description,
    parent_scope_id: scope?.parent,
  });
}

function times({ createdAt, updatedAt, version }: Pick<Scope, 'createdAt' | 'updatedAt' | 'version'>) {
  return { created_time: createdAt, updated_time: updatedAt, version };
}

/** Without what is absent, null or empty text. */
function telling(view: View): { [name: string]: Json } {
  const told = Object.entries(view).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(told) as { [name: string]: Json };
}
