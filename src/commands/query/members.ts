import type { PreparedQuery } from '../../api/registry-queries.ts';
import type { Json } from '../../wire/json.ts';

export type Members = { readonly [name: string]: Json };

export const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Read-only fields, set by the service. */
const own = ['ID', 'CreateIndex', 'ModifyIndex', 'RaftIndex'];

/** The writable fields of a prepared query. */
export const writable = (query: Members | PreparedQuery): Members =>
  Object.fromEntries(Object.entries(query as Members).filter(([name]) => !own.includes(name)));

export const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));

/** Applies changed fields; other fields are kept. Lists and metadata are replaced completely. */
export function merged(before: Members, change: Members): Members {
  const after = new Map(Object.entries(before));
  for (const [name, member] of Object.entries(change)) {
    const there = after.get(name);
    const isWhole = !isMembers(member) || !isMembers(there) || pairs.includes(name);
    after.set(name, isWhole ? member : merged(there, member));
  }
  return Object.fromEntries(after);
}

const pairs = ['NodeMeta', 'ServiceMeta', 'Meta'];

/** A query without fields that have their default value, for comparisons. */
export function essence(query: Members): Members {
  const bare = (value: Json, name: string): Json => {
    if (Array.isArray(value)) return value.map((element) => bare(element, ''));
    return isMembers(value) && !pairs.includes(name) ? essence(value) : value;
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
export const shown = (query: PreparedQuery): PreparedQuery =>
  query.Token ? { ...query, Token: hidden(query.Token) } : query;

const hidden = (token: string): string => (/^<.*>$/.test(token) ? token : '<redacted>');
