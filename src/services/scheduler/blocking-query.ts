import { parseDuration } from '../../wire/duration.ts';
import { formatJson } from '../../wire/json.ts';
import { HttpError, type HttpRequest, type HttpResponse, textResponse } from '../core/http/http-service.ts';
import type { Call } from './call.ts';
import type { TableName, View } from './model/tables.ts';

/** What a read found. */
export interface QueryResult {
  /** Why there is nothing: the answer is 404. */
  readonly notFoundMessage?: string;
  readonly value?: unknown;
  /** JSON that is written already, in place of the value. */
  readonly json?: Uint8Array;
  /** Where it is not the last index of the table. */
  readonly index?: number;
  /** Headers of the service's own. */
  readonly serviceHeaders?: Readonly<Record<string, string>>;
}

/** Seconds that a read waits at the most, and unless it says otherwise (docs/protocol/common.md#blocking-queries). */
const maxWaitSeconds = 300;

/**
 * Answers a read of a table, with its headers. With `index`, it first waits until there is something newer than that,
 * or `wait` is over, or the client gave up; what it finds then it answers in any case.
 *
 * @param lookup what may throw a refusal, and may take its time
 */
export async function blockingQuery(call: Call, table: TableName, lookup: Lookup): Promise<HttpResponse> {
  const { state } = call.scheduler;
  const { index, waitMs } = readParameters(call.request);
  const deadline = performance.now() + waitMs;
  while (index > 0) {
    const lastIndex = state.indexOf(table);
    const response = lastIndex > index ? await currentResponse(call, table, lookup) : undefined;
    if (response && Number(response.serviceHeaders?.Index) > index) return response;
    // What was written while it looked has woken nobody: it looks again.
    if (state.indexOf(table) !== lastIndex) continue;
    if (!(await state.waitForChange([table], deadline - performance.now(), call.request.signal))) break;
  }
  return currentResponse(call, table, lookup);
}

type Lookup = (view: View) => QueryResult | Promise<QueryResult>;

async function currentResponse(
  { request, scheduler }: Call,
  table: TableName,
  lookup: Lookup,
): Promise<HttpResponse> {
  const { state } = scheduler;
  const lastIndex = state.indexOf(table);
  const result = await lookup(state.view);
  await state.whenDurable();
  return queryResponse(request, result, result.index ?? lastIndex);
}

/** Answers a read of what never changes. */
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
 * Answers a write with JSON and the index of what it wrote. A conflict is JSON too, under the type of plain text:
 * Nomad writes the status before it names the type.
 */
export function writeResponse({ request }: Call, index: number, value: unknown, status = 200): HttpResponse {
  const response = jsonResponse(request, status, value, { Index: String(index) });
  return status === 200
    ? response
    : { ...response, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

/** Answers a write that tells nothing but its index (docs/protocol/scheduler.md#namespaces). */
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

/** Is JSON wanted with line breaks? */
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
