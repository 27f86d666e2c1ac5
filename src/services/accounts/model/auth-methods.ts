import type { Json } from '../../../wire/json.ts';
import type { Change, PagedStorage } from '../../core/store/storage.ts';
import { type Resource, recordCreation } from './change-log.ts';
import { globalScope, scopeOf } from './scopes.ts';

export type MethodType = 'password' | 'oidc' | 'ldap';

export interface AuthMethod extends Resource {
  readonly type: MethodType;
  readonly scope: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly attributes: { readonly [name: string]: Json };
}

/** Prefixes of IDs (docs/protocol/accounts.md#logins-and-ids). */
export const methodPrefixes: Readonly<Record<MethodType, string>> = {
  password: 'ampw_',
  oidc: 'amoidc_',
  ldap: 'amldap_',
};

/** The type of an auth method by its ID. */
export function methodTypeOf(id: string): MethodType | undefined {
  const types = Object.entries(methodPrefixes) as [MethodType, string][];
  return types.find(([, prefix]) => id.startsWith(prefix))?.[0];
}

const methodKey = (id: string) => `auth-methods/${id}`;
export const methodCollection = (scope: string): string => `auth-methods/${scope}`;

export function methodOf(storage: PagedStorage, id: string): AuthMethod | undefined {
  return storage.get(methodKey(id)) as unknown as AuthMethod | undefined;
}

/** The seeded auth method, with the ID of the product's dev mode. */
export const seededMethodId = 'ampw_1234567890';

/** The primary auth method of a scope: only its accounts get a user with their first login. */
export function primaryMethodOf(storage: PagedStorage, scope: string): string | undefined {
  const { primary = scope === globalScope ? seededMethodId : null } = scopeOf(storage, scope) ?? {};
  return primary ?? undefined;
}

/** A new auth method, and the changes to write. */
export function newMethod(
  storage: PagedStorage,
  draft: Pick<AuthMethod, 'id' | 'type' | 'scope' | 'name' | 'description' | 'attributes'>,
  now: string,
): { readonly method: AuthMethod; readonly changes: Change[] } {
  const { resource: method, changes } = recordCreation(storage, methodCollection(draft.scope), draft, now);
  return { method, changes: [...changes, { key: methodKey(method.id), value: method as unknown as Json }] };
}
