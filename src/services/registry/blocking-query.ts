import { formatJson } from '../../wire/json.ts';
import { type HttpResponse, textResponse } from '../core/http/http-service.ts';
import type { Call } from './call.ts';
import type { TableName, View } from './model/tables.ts';
import { type ReadParameters, readParameters } from './read-parameters.ts';

/** What a read found. */
export interface QueryResult {
  /** 200 when it is not there. */
  readonly status?: number;
  /** JSON, or bytes as they are; undefined: nothing. */
  readonly value?: unknown;
  readonly bytes?: Uint8Array;
  /** JSON that is written already. */
  readonly json?: Uint8Array;
  /** Where it is not the last index of the tables. */
  readonly index?: number;
  /** Was something left out that the caller may not see? */
  readonly filtered?: boolean;
}

/**
 * Answers a read, with its headers. With `index`, it first waits until what it would answer is newer than that,
 * `wait` (and up to a sixteenth more, so that clients do not all come back at once) is over, or the client gave
 * up (docs/protocol/common.md#blocking-queries).
 *
 * @param tables those whose writes can change the answer
 */
export async function blockingQuery(
  call: Call,
  tables: readonly TableName[],
  lookup: (view: View) => QueryResult,
): Promise<HttpResponse> {
  const { registry, request } = call;
  const parameters = readParameters(request);
  const { state } = registry;
  const evaluate = () => {
    const result = lookup(state.view);
    return { result, index: Math.max(1, result.index ?? state.indexOf(...tables)) };
  };
  let { result, index } = evaluate();
  if (parameters.index > 0) {
    const deadline = performance.now() + parameters.waitMs * (1 + randomFraction(registry.random) / 16);
    while (index <= parameters.index) {
      if (!(await state.waitForChange(tables, deadline - performance.now(), request.signal))) break;
      ({ result, index } = evaluate());
    }
  }
  await state.whenDurable();
  return formatResponse(call, result, {
    ...readHeaders(call, parameters, result.filtered),
    Index: String(index),
  });
}

/**
 * Answers a read of one table that takes its time: it waits as `blockingQuery` does, and looks afterwards.
 * @param lookup what it finds, and the index at which it is so
 */
export async function slowBlockingQuery(
  call: Call,
  table: TableName,
  lookup: () => Promise<QueryResult & { readonly index: number }>,
): Promise<HttpResponse> {
  const { registry, request } = call;
  const parameters = readParameters(request);
  const { state } = registry;
  const deadline = performance.now() + parameters.waitMs * (1 + randomFraction(registry.random) / 16);
  while (parameters.index > 0 && state.indexOf(table) <= parameters.index) {
    if (!(await state.waitForChange([table], deadline - performance.now(), request.signal))) break;
  }
  const result = await lookup();
  await state.whenDurable();
  const headers = readHeaders(call, parameters, result.filtered);
  return formatResponse(call, result, { ...headers, Index: String(result.index) });
}

/** Answers a read that never waits: of what never changes, if it has no index. */
export function nonBlockingQuery(call: Call, result: QueryResult): HttpResponse {
  return formatResponse(call, result, {
    ...readHeaders(call, readParameters(call.request), result.filtered),
    Index: String(result.index ?? 1),
  });
}

/**
 * The answer to a read that an agent could have kept (`?cached`): this one was looked up for the very request, and
 * says so (docs/protocol/registry.md#requests-and-responses).
 */
export function withCacheHeaders({ request }: Call, response: HttpResponse): HttpResponse {
  if (!request.query.has('cached')) return response;
  return { ...response, headers: { ...response.headers, 'X-Cache': 'MISS', Age: '0' } };
}

/** Answers a write with JSON. */
export function writeResponse(call: Call, value: unknown): HttpResponse {
  return formatResponse(call, { value }, { 'Default-ACL-Policy': call.registry.acl.defaultPolicy });
}

export function readHeaders(
  { registry }: Call,
  { consistency }: ReadParameters,
  filtered = false,
): Record<string, string> {
  return {
    KnownLeader: 'true',
    LastContact: '0',
    'Effective-Consistency': consistency,
    'Query-Backend': 'blocking-query',
    'Default-ACL-Policy': registry.acl.defaultPolicy,
    ...(filtered && { 'Results-Filtered-By-ACLs': 'true' }),
  };
}

/** What the headers of a read tell, as the body of an answer tells it; `index` is that of the data read. */
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

/** An answer in the registry's own form: JSON (indented with `pretty`), bytes, or nothing. */
export function formatResponse(
  { request }: Pick<Call, 'request'>,
  { status = 200, value, bytes, json }: QueryResult,
  serviceHeaders: Readonly<Record<string, string>>,
): HttpResponse {
  if (bytes) {
    // A browser must not take what someone stored here for a page.
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': 'sandbox',
    };
    return { status, headers, body: bytes, serviceHeaders };
  }
  if (value === undefined && json === undefined) return textResponse(status, '', { serviceHeaders });
  const body = json ?? (request.query.has('pretty') ? `${formatJson(value, 4)}\n` : formatJson(value));
  return { status, headers: { 'Content-Type': 'application/json' }, body, serviceHeaders };
}

/** From 0 to 1. */
function randomFraction(random: (length: number) => Uint8Array): number {
  return Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
}
