import * as s from '../../core/store/schema.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { recordChange, recordCreation, resourceFields } from './change-log.ts';

/** Scopes are nested: `global` contains organisations, which contain projects. */
export const scopes = table('scopes/', {
  ...resourceFields,
  type: s.oneOf('global', 'org', 'project'),
  name: s.nullable(s.string),
  description: s.nullable(s.string),
  /** Empty for `global`. */
  parent: s.string,
  /** The auth method whose accounts get a user with their first login; missing in data of earlier releases. */
  primary: s.optional(s.nullable(s.string)),
});
export type Scope = RowOf<typeof scopes>;

export const globalScope = 'global';

export const scopeCollection = (parent: string): string => `scopes/${parent}`;

export const scopeOf = (storage: Storage, id: string) => scopes.get(storage, id);

/** A new scope, and the changes to write. */
export function newScope(
  storage: Storage,
  draft: Pick<Scope, 'id' | 'type' | 'name' | 'description' | 'parent' | 'primary'>,
  now: string,
): { readonly scope: Scope; readonly changes: Change[] } {
  const { resource: scope, changes } = recordCreation(storage, scopeCollection(draft.parent), draft, now);
  return { scope, changes: [...changes, scopes.put(scope.id, scope)] };
}

/** Stores a changed scope. */
export async function putScope(
  storage: Storage,
  draft: Omit<Scope, 'changed'>,
  existing: Scope,
): Promise<Scope> {
  const { sequence, changes } = recordChange(storage, scopeCollection(draft.parent), draft, existing);
  const scope: Scope = { ...draft, changed: sequence };
  await storage.write([...changes, scopes.put(scope.id, scope)]);
  return scope;
}
