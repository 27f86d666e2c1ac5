import type { Json } from '../../../wire/json.ts';

export type Fields = { readonly [name: string]: Json };

/** Fields that the service sets. */
const serverManaged = ['ID', 'AccessorID', 'SecretID', 'Hash', 'CreateIndex', 'ModifyIndex', 'CreateTime'];

/** The fields of an object that can be written and are set. */
export const writableFields = (fields: object, others: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(fields as Fields).filter(
      ([name, value]) => !serverManaged.includes(name) && !others.includes(name) && !isUnset(value),
    ),
  );

/** A service omits what is empty, or sends it as null. */
const isUnset = (value: Json): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The fields after a change: the others are kept. */
export const changedFields = (before: Fields, change: object): Fields =>
  writableFields({ ...before, ...change });
