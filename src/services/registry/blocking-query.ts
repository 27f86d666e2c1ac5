import { lookUpWhenChanged, prettyResponse } from '../core/blocking-query.ts';
import type { HttpResponse } from '../core/http/http-service.ts';
import * as s from '../core/schema/types.ts';
import type { Call } from './call.ts';
import type { TableName, View } from './model/tables.ts';
import { type ReadParameters, readParameters } from './read-parameters.ts';

export interface QueryResult {
  /** Default 200. */
  readonly status?: number;
  /** The body, as JSON that may be encoded already; if there is neither a value nor bytes, the body is empty. */
  readonly value?: unknown;
  /** The body, in place of a value. */
  readonly bytes?: Uint8Array;
  /** Default: the last index of the tables. */
  readonly index?: number;
  /** Whether something was left out that the caller may not read. */
  readonly filtered?: boolean;
}

/**
 * The response to a read, with its headers. With `index` in the query, it waits for a newer result for up to `wait`
 * and a sixteenth of that, so that clients do not all return at once.
 *
 * @param tables whose writes can change the result
 * @param isSlow whether to run the lookup only after the tables have changed
 */
export async function blockingQuery(
  call: Call,
  tables: readonly TableName[],
  lookup: (view: View) => QueryResult | Promise<QueryResult>,
  isSlow = false,
): Promise<HttpResponse> {
  const { random, state } = call.registry;
  const { request } = call;
  const parameters = readParameters(request);
  const { index, waitMs } = parameters;
  const wait = { index, waitMs: index > 0 ? withJitter(random, waitMs) : 0 };
  const found = await lookUpWhenChanged({ state, tables, wait, request, lookup, isSlow });
  const headers = readHeaders(call, parameters, found.result.filtered);
  headers.Index = String(found.index);
  return formatResponse(call, found.result, headers);
}

/** The response to a read that never waits; without an index, of something that never changes. */
export function nonBlockingQuery(call: Call, result: QueryResult): HttpResponse {
  return formatResponse(call, result, {
    ...readHeaders(call, readParameters(call.request), result.filtered),
    Index: String(result.index ?? 1),
  });
}

/**
 * Adds the headers of a read that an agent could have cached (`?cached`): it was looked up for this request
 * (docs/protocol/registry.md#requests-and-responses).
 */
export function withCacheHeaders({ request }: Call, response: HttpResponse): HttpResponse {
  if (!request.query.has('cached')) return response;
  return { ...response, headers: { ...response.headers, 'X-Cache': 'MISS', Age: '0' } };
}

/** Without a value, an empty response. */
export const writeResponse = (call: Call, value?: unknown): HttpResponse => agentResponse(call, { value });

/** The response of the agent itself, which has no index and no leader; without a value, an empty one. */
export const agentResponse = (call: Call, result: QueryResult = {}): HttpResponse =>
  formatResponse(call, result, commonHeaders(call, result.filtered));

export const readHeaders = (
  call: Call,
  { consistency }: ReadParameters,
  filtered = false,
): Record<string, string> => ({
  KnownLeader: 'true',
  LastContact: '0',
  'Effective-Consistency': consistency,
  'Query-Backend': 'blocking-query',
  ...commonHeaders(call, filtered),
});

const commonHeaders = ({ registry }: Call, filtered = false): Record<string, string> => ({
  'Default-ACL-Policy': registry.acl.defaultPolicy,
  ...(filtered && { 'Results-Filtered-By-ACLs': 'true' }),
});

/** The headers of a read as fields of a body. */
export const metaFields = {
  Index: s.integer(),
  LastContact: s.integer(),
  KnownLeader: s.boolean(),
  ConsistencyLevel: s.string(),
  NotModified: s.boolean(),
  Backend: s.integer(),
  ResultsFilteredByACLs: s.boolean(),
};

/** The values of `metaFields`; `index` is the index of the data read. */
export function readMeta({ consistency }: ReadParameters, index: number, filtered: boolean) {
  return {
    Index: index,
    LastContact: 0,
    KnownLeader: true,
    ConsistencyLevel: consistency,
    NotModified: false,
    Backend: 0,
    ResultsFilteredByACLs: filtered,
  };
}

/** A response in the format of the registry: JSON (indented with `pretty`), bytes, or empty. */
export function formatResponse(
  { request }: Pick<Call, 'request'>,
  { status = 200, value, bytes }: QueryResult,
  serviceHeaders: Readonly<Record<string, string>>,
): HttpResponse {
  if (bytes) {
    // A browser must not render stored bytes as a page.
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': 'sandbox',
    };
    return { status, headers, body: bytes, serviceHeaders };
  }
  if (value !== undefined) return prettyResponse(request, status, value, serviceHeaders);
  // A success without a body has the media type of JSON, 404 has none.
  return { status, serviceHeaders, ...(status < 300 && { headers: { 'Content-Type': 'application/json' } }) };
}

/** Up to a sixteenth more milliseconds, so that waiting clients do not all return at once. */
export function withJitter(random: (length: number) => Uint8Array, milliseconds: number): number {
  const fraction = Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  return milliseconds * (1 + fraction / 16);
}
