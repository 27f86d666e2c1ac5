import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { ChangeBatch, resourceFields } from './change-log.ts';
import { globalScope, scopeOf } from './scopes.ts';
import { nameLookups } from './unique-names.ts';

export const methodType = s.oneOf(['password', 'oidc', 'ldap']);
export type MethodType = s.Stored<typeof methodType>;

export const authMethods = table('auth-methods/', {
  ...resourceFields,
  type: methodType,
  scope: s.string(),
  name: s.nullable(s.string()),
  description: s.nullable(s.string()),
  attributes: s.map(s.json()),
}).with({ lookups: (method) => nameLookups(methodCollection(method.scope), method) });
export type AuthMethod = RowOf<typeof authMethods>;

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

export const methodCollection = (scope: string): string => `auth-methods/${scope}`;

export const methodOf = (storage: Storage, id: string) => authMethods.get(storage, id);

/** The seeded auth method, with the ID of the product's dev mode. */
export const seededMethodId = 'ampw_1234567890';

/** The primary auth method of a scope: only its accounts get a user with their first login. */
export function primaryMethodOf(storage: Storage, scope: string): string | undefined {
  const { primary = scope === globalScope ? seededMethodId : null } = scopeOf(storage, scope) ?? {};
  return primary ?? undefined;
}

/** Stores a changed auth method. */
export async function putMethod(
  storage: Storage,
  draft: Omit<AuthMethod, 'changed'>,
  existing: AuthMethod,
): Promise<AuthMethod> {
  const batch = new ChangeBatch(storage);
  const changed = batch.recordChange(methodCollection(draft.scope), draft, existing);
  const method: AuthMethod = { ...draft, changed };
  batch.add(...authMethods.replace(method.id, existing, method));
  await batch.write();
  return method;
}

/** Stores a new auth method. */
export async function createMethod(
  storage: Storage,
  draft: Pick<AuthMethod, 'id' | 'type' | 'scope' | 'name' | 'description' | 'attributes'>,
  now: string,
): Promise<AuthMethod> {
  const batch = new ChangeBatch(storage);
  const method = batch.recordCreation(methodCollection(draft.scope), draft, now);
  batch.add(...authMethods.replace(method.id, undefined, method));
  await batch.write();
  return method;
}
