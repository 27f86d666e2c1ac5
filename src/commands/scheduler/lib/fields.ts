import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

export type Fields = { readonly [name: string]: Json };

/** Fields that the service sets, and those by which an object is named. */
const serverManaged = [
  ...['ID', 'AccessorID', 'SecretID', 'Hash', 'CreateIndex', 'ModifyIndex', 'CreateTime', 'RulesJSON'],
];

/** The fields of an object that can be written and are set, without empty ones. */
export const writableFields = (fields: object): Fields =>
  Object.fromEntries(
    Object.entries(fields as Fields)
      .filter(([name]) => !serverManaged.includes(name))
      .map(([name, value]) => [name, isObject(value) ? writableFields(value) : value] as const)
      .filter(([, value]) => !isUnset(value)),
  );

/** The scheduler sends what is empty as null, or omits it. */
const isUnset = (value: Json): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The fields after a change: the others are kept. */
export const changedFields = (before: Fields, change: object): Fields =>
  writableFields({ ...before, ...change });
