import { lookUpWhenChanged, prettyResponse, readWaitParameters } from '../core/blocking-query.ts';
import { type HttpRequest, type HttpResponse, textResponse } from '../core/http/http-service.ts';
import * as s from '../core/schema/types.ts';
import type { Indexes } from '../core/state/state-table.ts';
import type { Call } from './call.ts';
import type { TableName, Transaction, View } from './model/tables.ts';

export const regionParameter = { region: s.string('Only `global`.', { default: 'global' }) };

export const readParameters = {
  ...regionParameter,
  pretty: s.boolean('Indent the JSON of the response.', { allowEmptyValue: true }),
};

export const blockingParameters = {
  ...readParameters,
  index: s.integer('Wait for a result with a higher index; 0: respond at once.', { minimum: 0, default: 0 }),
  wait: s.string('The longest time to wait, as a duration with a unit; at most 300s.', { default: '300s' }),
};

export const prefixParameter = {
  prefix: s.string('Only objects whose name or ID begins with this text.'),
};

/** What the operations have in common that read an object, list objects, or write without a result. */
export const reading = { query: blockingParameters, responseHeaders: 'query', errors: [400, 404] } as const;
export const listing = {
  ...reading,
  query: { ...prefixParameter, ...blockingParameters },
  errors: [400],
} as const;
export const writing = { query: regionParameter, responseHeaders: 'write' } as const;

export interface QueryResult {
  /** The body of a 404 response. */
  readonly notFoundMessage?: string;
  /** As {@link prettyResponse} takes it. */
  readonly value?: unknown;
  /** Default: the last index of the table. */
  readonly index?: number;
  readonly serviceHeaders?: Readonly<Record<string, string>>;
}

/** What a read of a row finds. */
export const foundRow = <Row extends Indexes>(
  row: Row | undefined,
  notFoundMessage: string,
  view: (row: Row) => unknown = (found) => found,
): QueryResult => (row ? { value: view(row), index: row.ModifyIndex } : { notFoundMessage });

/**
 * The response to a read of a table, with its headers. With `index` in the query, it waits for a newer result.
 *
 * @param lookup runs only after a change of the table, or at the end of the wait
 */
export async function blockingQuery(
  { request, scheduler: { state } }: Call,
  table: TableName,
  lookup: (view: View) => QueryResult | Promise<QueryResult>,
): Promise<HttpResponse> {
  const wait = readWaitParameters(request, { default: 300, max: 300 });
  const found = await lookUpWhenChanged({ state, tables: [table], wait, request, lookup, isSlow: true });
  return queryResponse(request, found.result, found.index);
}

/** The response to a read of something that never changes. */
export function nonBlockingQuery({ request }: Call, value: unknown): HttpResponse {
  return queryResponse(request, { value }, 1);
}

function queryResponse(request: HttpRequest, result: QueryResult, index: number): HttpResponse {
  const serviceHeaders = {
    Index: String(index),
    KnownLeader: 'true',
    LastContact: '0',
    ...result.serviceHeaders,
  };
  if (result.notFoundMessage !== undefined)
    return textResponse(404, result.notFoundMessage, { serviceHeaders });
  return prettyResponse(request, 200, result.value, serviceHeaders);
}

/** The response to a write, with its index if given. As in Nomad, a conflict is sent as text/plain. */
export function writeResponse({ request }: Call, index: number | undefined, value: unknown, status = 200) {
  const response = prettyResponse(
    request,
    status,
    value,
    index === undefined ? {} : { Index: String(index) },
  );
  return status === 200
    ? response
    : { ...response, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

/** Runs a write whose response has no body, only its index (docs/protocol/scheduler.md#namespaces). */
export async function writeIndex(
  { scheduler }: Call,
  work: (transaction: Transaction) => number,
): Promise<HttpResponse> {
  const index = await scheduler.state.update(work);
  return { status: 200, serviceHeaders: { Index: String(index) } };
}
