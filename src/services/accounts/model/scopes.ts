import { forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { RowOf } from '../../core/store/table.ts';
import { resourceTable } from './change-log.ts';
import {
  actions,
  collectionActions,
  labels,
  readOnlyId,
  scopeInfo,
  scopeType,
  times,
  updateOf,
} from './fields.ts';
import { nameLookups } from './unique-names.ts';

/** A scope. Scopes are nested: `global` contains organizations, which contain projects. */
export const scopeSchema = s.named(
  'Scope',
  s.object({
    id: readOnlyId,
    scope_id: s.required(
      s.omitEmpty(s.string('The parent: `global` or an organization; missing for `global`.')),
      'Missing value for scope_id.',
    ),
    scope: scopeInfo,
    ...labels,
    ...s.partial(times),
    type: s.described('Must match the parent: `org` or `project`.', scopeType),
    primary_auth_method_id: s.responseOnly(s.omitEmpty(s.string())),
    authorized_actions: actions,
    authorized_collection_actions: collectionActions,
  }),
);

export const scopeUpdate = updateOf('Scope', {
  type: s.described('Must match the scope.', scopeType),
  ...labels,
  primary_auth_method_id: s.nullable(s.string('An auth method of the scope; null: none.')),
});

export const scopes = resourceTable(
  'scopes/',
  {
    ...labels,
    type: scopeType,
    /** Empty for `global`. */
    parent: s.string(),
    /** The auth method whose accounts get a user with their first login; missing in data of earlier releases. */
    primary: s.optional(s.nullable(s.string())),
  },
  ({ parent }) => scopeCollection(parent),
).with({ lookups: (scope) => nameLookups(scopeCollection(scope.parent), scope) });
export type Scope = RowOf<typeof scopes>;

export const globalScope = 'global';

export const scopeCollection = (parent: string): string => `scopes/${parent}`;

/** A scope and all scopes below it. */
export async function scopeTree(storage: Storage, root: string): Promise<string[]> {
  const found = new Set([root]);
  const all = await mapInSlices(scopes.keys(storage), (id) => scopes.get(storage, id));
  await forEachInSlices(all, (each) => each?.parent === root && found.add(each.id));
  await forEachInSlices(all, (each) => each && found.has(each.parent) && found.add(each.id));
  return [...found];
}
