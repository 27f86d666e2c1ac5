import { parseDuration } from '../../../wire/duration.ts';
import { formatJson } from '../../../wire/json.ts';
import { type Answer, HttpRefusal, type HttpRequest, textAnswer } from '../../http/service.ts';
import type { Table, View } from '../state/tables.ts';
import type { Call } from './call.ts';

/** What a read found. */
export interface Found {
  /** Why there is nothing: the answer is 404. */
  readonly missing?: string;
  readonly value?: unknown;
  /** JSON that is written already, in place of the value. */
  readonly json?: Uint8Array;
  /** Where it is not the last index of the table. */
  readonly index?: number;
  /** Headers of the service's own. */
  readonly prefixed?: Readonly<Record<string, string>>;
}

/** Seconds that a read waits at the most, and unless it says otherwise (docs/protocol/common.md#blocking-queries). */
const longestWait = 300;

/**
 * Answers a read of a table, with its headers. With `index`, it first waits until there is something newer than that,
 * or `wait` is over, or the client gave up; what it finds then it answers in any case.
 *
 * @param look what may throw a refusal, and may take its time
 */
export async function read(call: Call, table: Table, look: Look): Promise<Answer> {
  const { state } = call.scheduler;
  const { index, wait } = readParameters(call.request);
  const until = performance.now() + wait;
  while (index > 0) {
    const last = state.indexOf(table);
    const answer = last > index ? await current(call, table, look) : undefined;
    if (answer && Number(answer.prefixed?.Index) > index) return answer;
    // What was written while it looked has woken nobody: it looks again.
    if (state.indexOf(table) !== last) continue;
    if (!(await state.changeOf([table], until - performance.now(), call.request.over))) break;
  }
  return current(call, table, look);
}

type Look = (view: View) => Found | Promise<Found>;

async function current({ request, scheduler }: Call, table: Table, look: Look): Promise<Answer> {
  const { state } = scheduler;
  const last = state.indexOf(table);
  const found = await look(state.view);
  await state.settled();
  return readAnswer(request, found, found.index ?? last);
}

/** Answers a read of what never changes. */
export function readOnce({ request }: Call, value: unknown): Answer {
  return readAnswer(request, { value }, 1);
}

function readAnswer(request: HttpRequest, found: Found, index: number): Answer {
  const prefixed = { Index: String(index), KnownLeader: 'true', LastContact: '0', ...found.prefixed };
  if (found.missing !== undefined) return textAnswer(404, found.missing, { prefixed });
  return json(request, 200, found.json ?? found.value, prefixed);
}

/**
 * Answers a write with JSON and the index of what it wrote. A conflict is JSON too, under the type of plain text:
 * Nomad writes the status before it names the type.
 */
export function written({ request }: Call, index: number, value: unknown, status = 200): Answer {
  const answer = json(request, status, value, { Index: String(index) });
  return status === 200 ? answer : { ...answer, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

/** Answers a write that tells nothing but its index (docs/protocol/scheduler.md#namespaces). */
export function done(index: number): Answer {
  return textAnswer(200, '', { prefixed: { Index: String(index) } });
}

function json(request: HttpRequest, status: number, value: unknown, prefixed: Answer['prefixed']): Answer {
  const headers = { 'Content-Type': 'application/json' };
  const body =
    value instanceof Uint8Array ? value : isPretty(request) ? `${formatJson(value, 4)}\n` : formatJson(value);
  return { status, headers, body, ...(prefixed && { prefixed }) };
}

/** Is JSON wanted with line breaks? */
export const isPretty = ({ query }: HttpRequest): boolean => query.has('pretty');

/** @throws HttpRefusal 400 */
function readParameters({ query }: HttpRequest): { readonly index: number; readonly wait: number } {
  const index = query.get('index') || '0';
  if (!/^\d{1,20}$/.test(index)) throw new HttpRefusal(400, 'Invalid index');
  const text = query.get('wait') || `${longestWait}s`;
  const seconds = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  if (seconds === undefined || seconds < 0) throw new HttpRefusal(400, 'Invalid wait time');
  return { index: Number(index), wait: Math.min(seconds === 0 ? longestWait : seconds, longestWait) * 1000 };
}
