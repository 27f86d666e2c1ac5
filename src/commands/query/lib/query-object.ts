import type { PreparedQuery } from '../../../api/registry-queries.ts';
import { preparedQuery, setByService } from '../../../objects/prepared-query.ts';
import type { Schema } from '../../../objects/schema.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

export type QueryObject = { readonly [name: string]: Json };

export const isQueryObject = (value: Json | undefined): value is QueryObject => isObject(value);

export const writableFields = (query: QueryObject | PreparedQuery): QueryObject =>
  Object.fromEntries(Object.entries(query as QueryObject).filter(([name]) => !setByService.includes(name)));

export const omitField = (members: QueryObject, name: string): QueryObject =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));

/** Applies changed fields; other fields are kept. Lists and metadata are replaced completely. */
export function mergeFields(before: QueryObject, change: QueryObject): QueryObject {
  const after = new Map(Object.entries(before));
  for (const [name, member] of Object.entries(change)) {
    const existing = after.get(name);
    const isReplaced = !isQueryObject(member) || !isQueryObject(existing) || pairs.includes(name);
    after.set(name, isReplaced ? member : mergeFields(existing, member));
  }
  return Object.fromEntries(after);
}

/** Fields whose names the user chooses. */
const pairs = Object.entries<Schema>(preparedQuery.properties.Service.properties).flatMap(
  ([name, { type }]) => (type === 'map' ? [name] : []),
);

/** A query without fields that have their default value, for comparisons. */
export function normalizeQuery(query: QueryObject): QueryObject {
  const bare = (value: Json, name: string): Json => {
    if (Array.isArray(value)) return value.map((element) => bare(element, ''));
    return isQueryObject(value) && !pairs.includes(name) ? normalizeQuery(value) : value;
  };
  return Object.fromEntries(
    Object.entries(query)
      .map(([name, value]) => [name, bare(value, name)] as const)
      .filter(([, value]) => !isDefault(value)),
  );
}

const isDefault = (value: Json): boolean =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The index of the last write, from either of its fields. */
export const indexOf = ({ ModifyIndex, RaftIndex }: PreparedQuery): string | undefined =>
  (ModifyIndex ?? RaftIndex?.ModifyIndex)?.toString();

/** A query for output, with its token redacted. */
export const displayedQuery = (query: PreparedQuery): PreparedQuery =>
  query.Token ? { ...query, Token: hiddenToken(query.Token) } : query;

const hiddenToken = (token: string): string => (/^<.*>$/.test(token) ? token : '<redacted>');
