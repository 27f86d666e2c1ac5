import { parseDuration } from '../../wire/duration.ts';
import { formatJson } from '../../wire/json.ts';
import { HttpError, type HttpRequest, type HttpResponse, textResponse } from '../core/http/http-service.ts';
import type { Call } from './call.ts';
import type { Table, View } from './model/tables.ts';

/** The result of a read. */
export interface QueryResult {
  /** The message of a 404. */
  readonly notFoundMessage?: string;
  readonly value?: unknown;
  /** Encoded JSON, instead of the value. */
  readonly json?: Uint8Array;
  /** Default: the last index of the table. */
  readonly index?: number;
  /** Additional headers of the service. */
  readonly serviceHeaders?: Readonly<Record<string, string>>;
}

/** Maximum and default wait in seconds (docs/protocol/common.md#blocking-queries). */
const maxWaitSeconds = 300;

/**
 * Responds to a read of a table, with its headers. With `index`, it first waits until the table has a newer one,
 * `wait` is over, or the client has disconnected; then it responds in any case.
 *
 * @param lookup may throw an HttpError, and may be asynchronous
 */
export async function blockingQuery(call: Call, table: Table, lookup: Lookup): Promise<HttpResponse> {
  const { state } = call.scheduler;
  const { index, waitMs } = readParameters(call.request);
  const deadline = performance.now() + waitMs;
  while (index > 0) {
    const lastIndex = state.indexOf(table);
    const response = lastIndex > index ? await currentResponse(call, table, lookup) : undefined;
    if (response && Number(response.serviceHeaders?.Index) > index) return response;
    // A write during the lookup has not woken this request: read again.
    if (state.indexOf(table) !== lastIndex) continue;
    if (!(await state.waitForChange([table], deadline - performance.now(), call.request.signal))) break;
  }
  return currentResponse(call, table, lookup);
}

type Lookup = (view: View) => QueryResult | Promise<QueryResult>;

async function currentResponse(
  { request, scheduler }: Call,
  table: Table,
  lookup: Lookup,
): Promise<HttpResponse> {
  const { state } = scheduler;
  const lastIndex = state.indexOf(table);
  const result = await lookup(state.view);
  await state.whenDurable();
  return queryResponse(request, result, result.index ?? lastIndex);
}

/** Responds to a read of constant data. */
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
  return jsonResponse(request, 200, result.json ?? result.value, serviceHeaders);
}

/**
 * Responds to a write with JSON and the new index. A conflict is JSON too, but sent as plain text: Nomad writes the
 * status before it sets the type.
 */
export function writeResponse({ request }: Call, index: number, value: unknown, status = 200): HttpResponse {
  const response = jsonResponse(request, status, value, { Index: String(index) });
  return status === 200
    ? response
    : { ...response, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

/** Responds to a write with its index only (docs/protocol/scheduler.md#namespaces). */
export function indexResponse(index: number): HttpResponse {
  return textResponse(200, '', { serviceHeaders: { Index: String(index) } });
}

function jsonResponse(
  request: HttpRequest,
  status: number,
  value: unknown,
  serviceHeaders: HttpResponse['serviceHeaders'],
): HttpResponse {
  const headers = { 'Content-Type': 'application/json' };
  const body =
    value instanceof Uint8Array ? value : isPretty(request) ? `${formatJson(value, 4)}\n` : formatJson(value);
  return { status, headers, body, ...(serviceHeaders && { serviceHeaders }) };
}

/** Whether the JSON is to be indented. */
export const isPretty = ({ query }: HttpRequest): boolean => query.has('pretty');

/** @throws HttpError 400 */
function readParameters({ query }: HttpRequest): { readonly index: number; readonly waitMs: number } {
  const index = query.get('index') || '0';
  if (!/^\d{1,20}$/.test(index)) throw new HttpError(400, 'Invalid index');
  const text = query.get('wait') || `${maxWaitSeconds}s`;
  const seconds = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  if (seconds === undefined || seconds < 0) throw new HttpError(400, 'Invalid wait time');
  return {
    index: Number(index),
    waitMs: Math.min(seconds === 0 ? maxWaitSeconds : seconds, maxWaitSeconds) * 1000,
  };
}
