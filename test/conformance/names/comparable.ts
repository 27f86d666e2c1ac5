import type { Json } from '../../../src/wire/json.ts';
import type { NamedRequest } from './requests.ts';

/** A response as it is recorded: the status, and the body without what differs from run to run. */
export interface Recorded {
  readonly status: number;
  readonly response: Json;
}

type JsonObject = { readonly [name: string]: Json };

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const withoutIds = (text: string): string => text.replace(uuid, 'ID');

/** Indexes, times and hashes; what only one of the two has; and what is not about names. */
const omitted = new Set([
  ...['CreateIndex', 'ModifyIndex', 'RaftIndex', 'Index', 'LockIndex', 'CreateTime', 'Hash', 'Partition'],
  ...['Namespace', 'KnownLeader', 'LastContact', 'ConsistencyLevel', 'NotModified', 'Backend'],
  ...['ResultsFilteredByACLs', 'PeerName', 'Failovers', 'DNS'],
  ...['SamenessGroup', 'Peer', 'Template', 'NodeMeta', 'Meta', 'Proxy', 'ServiceProxy', 'Config'],
]);
/** Null or an empty list, where there is nothing. */
const lists = ['Tags', 'Checks', 'ServiceTags'];

function clean(value: Json): Json {
  if (typeof value === 'string') return withoutIds(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([name, member]) => !omitted.has(name) && !(name === 'Port' && member === 0))
      .map(([name, member]) => [name, clean(lists.includes(name) ? (member ?? []) : member)] as const),
  );
}

const sorted = (items: readonly Json[]): Json[] => items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));

/** An object as text that does not depend on the order of its fields. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value as JsonObject)
    .map(([name, member]) => `${name} ${textOf(member)}`)
    .sort()
    .join(' ');
}

const filteredLists = /^(catalog\/(nodes|services)|health\/state\/.*|query|config\/[^/]*|acl\/auth-methods)$/;
/** The product orders these by random IDs, or at random. */
const unorderedLists = /^(query$|session\/node|acl\/binding-rules)/;

/** The comparable response to a request of a sequence: lists have only the names with its prefix. */
export function comparable(
  prefix: string,
  { method, path }: NamedRequest,
  status: number,
  text: string,
): Recorded {
  if (!/^[[{]/.test(text)) return { status, response: withoutIds(text) };
  const body = clean(JSON.parse(text) as Json);
  if (method !== 'GET') return { status, response: body };
  const isOwn = (value: Json): boolean => JSON.stringify(value).toLowerCase().includes(prefix);
  if (Array.isArray(body)) {
    const own = filteredLists.test(path) ? body.filter(isOwn) : body;
    return { status, response: unorderedLists.test(path) ? sorted(own) : own };
  }
  const { Nodes, ...result } = body as JsonObject;
  if (Array.isArray(Nodes)) return { status, response: { ...result, Nodes: sorted(Nodes) } };
  const own = Object.entries(body as JsonObject).filter(([name]) => isOwn(name));
  return { status, response: path === 'catalog/services' ? Object.fromEntries(own) : body };
}

/** The path of a request with the IDs in the responses before it. */
export const pathOf = ({ path }: NamedRequest, ids: readonly string[]): string =>
  path.replace(/\{(\d+)\}/g, (_, at: string) => ids[Number(at)] || '00000000-0000-4000-8000-000000000000');

/** The ID in a response; empty: none. */
export const idIn = (text: string): string => /^\{\s*"ID":\s*"([^"]+)"/.exec(text)?.[1] ?? '';
