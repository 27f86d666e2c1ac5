import type { Json } from '../../../wire/json.ts';
import type { Change, PagedStorage } from '../../storage.ts';
import { begun, type Resource } from './journal.ts';

/** Scopes are nested: `global` holds organisations, those hold projects. */
export interface Scope extends Resource {
  readonly type: 'global' | 'org' | 'project';
  readonly name: string | null;
  readonly description: string | null;
  /** Empty for `global`. */
  readonly parent: string;
}

export const globalScope = 'global';

const keyOf = (id: string) => `scopes/${id}`;
export const scopesOf = (parent: string): string => `scopes/${parent}`;

export function scopeOf(storage: PagedStorage, id: string): Scope | undefined {
  return storage.get(keyOf(id)) as unknown as Scope | undefined;
}

/** A new scope, and what to write. */
export function newScope(
  storage: PagedStorage,
  draft: Pick<Scope, 'id' | 'type' | 'name' | 'description' | 'parent'>,
  now: string,
): { readonly scope: Scope; readonly changes: Change[] } {
  const { resource: scope, changes } = begun(storage, scopesOf(draft.parent), draft, now);
  return { scope, changes: [...changes, { key: keyOf(scope.id), value: scope as unknown as Json }] };
}
