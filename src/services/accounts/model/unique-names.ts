import { createHash } from 'node:crypto';
import type { Change, Storage } from '../../core/store/storage.ts';
import { notUnique } from '../errors.ts';

/** The storage key of a value that is unique among the resources of an owner. */
export function uniqueKey(owner: string, field: string, value: string): string {
  return `unique/${owner}/${field}/${createHash('sha256').update(value).digest('hex')}`;
}

/** The lookup of a resource by its name in its collection, if it has one. */
export const nameLookups = (
  collection: string,
  { id, name }: { readonly id: string; readonly name: string | null },
): Change[] => (name === null ? [] : [{ key: uniqueKey(collection, 'name', name), value: id }]);

/** @param id of the resource with the name, if it exists. @throws InvalidFieldsError another one has the name */
export function checkUniqueName(storage: Storage, collection: string, name: string | null, id?: string) {
  if (name !== null && isNameTaken(storage, collection, name, id)) throw notUnique();
}

/** Whether another resource has a name. @param id of the resource with the name, if it exists */
export function isNameTaken(storage: Storage, collection: string, name: string, id?: string): boolean {
  const other = storage.get(uniqueKey(collection, 'name', name));
  return other !== undefined && other !== id;
}
