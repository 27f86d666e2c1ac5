import type { Json } from '../../../wire/json.ts';
import type { Change, PagedStorage } from '../../core/store/storage.ts';
import { type Resource, recordChange, recordCreation } from './change-log.ts';

/** Scopes are nested: `global` contains organizations, which contain projects. */
export interface Scope extends Resource {
  readonly type: 'global' | 'org' | 'project';
  readonly name: string | null;
  readonly description: string | null;
  /** Empty for `global`. */
  readonly parent: string;
  /** The auth method whose accounts get a user with their first login; absent in data of earlier releases. */
  readonly primary?: string | null;
}

export const globalScope = 'global';

const scopeKey = (id: string) => `scopes/${id}`;
export const scopeCollection = (parent: string): string => `scopes/${parent}`;

export function scopeOf(storage: PagedStorage, id: string): Scope | undefined {
  return storage.get(scopeKey(id)) as unknown as Scope | undefined;
}

/** A new scope, and the changes to write. */
export function newScope(
  storage: PagedStorage,
  draft: Pick<Scope, 'id' | 'type' | 'name' | 'description' | 'parent' | 'primary'>,
  now: string,
): { readonly scope: Scope; readonly changes: Change[] } {
  const { resource: scope, changes } = recordCreation(storage, scopeCollection(draft.parent), draft, now);
  return { scope, changes: [...changes, { key: scopeKey(scope.id), value: scope as unknown as Json }] };
}

/** Stores a changed scope. */
export async function putScope(
  storage: PagedStorage,
  draft: Omit<Scope, 'changed'>,
  existing: Scope,
): Promise<Scope> {
  const { sequence, changes } = recordChange(storage, scopeCollection(draft.parent), draft, existing);
  const scope: Scope = { ...draft, changed: sequence };
  await storage.write([...changes, { key: scopeKey(scope.id), value: scope as unknown as Json }]);
  return scope;
}
