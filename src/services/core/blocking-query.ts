import { parseDuration } from '../../wire/duration.ts';
import { parseJson } from '../../wire/json.ts';
import { HttpError, type HttpRequest, type HttpResponse } from './http/http-service.ts';
import { JsonBody } from './http/json-body.ts';
import type { State } from './state/state.ts';
import type { Rows } from './store/storage.ts';

/** How a read waits: until the index exceeds `index` (0: it does not wait), for at most `waitMs` milliseconds. */
export interface WaitParameters {
  readonly index: number;
  readonly waitMs: number;
}

/** @throws HttpError 400 */
export function readWaitParameters(
  { query }: HttpRequest,
  seconds: { readonly default: number; readonly max: number },
): WaitParameters {
  const index = query.get('index') || '0';
  if (!/^\d{1,20}$/.test(index)) throw new HttpError(400, 'Invalid index');
  const text = query.get('wait') || '0s';
  const wait = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  if (wait === undefined || wait < 0) throw new HttpError(400, 'Invalid wait time');
  return { index: Number(index), waitMs: Math.min(wait || seconds.default, seconds.max) * 1000 };
}

interface BlockingQuery<Table extends string, Result> {
  readonly state: State<Table>;
  readonly tables: readonly Table[];
  readonly wait: WaitParameters;
  /** Its signal is aborted when the client no longer waits. */
  readonly request: Pick<HttpRequest, 'signal'>;
  /** The index of the result defaults to the last index of the tables. */
  readonly lookup: (view: Rows) => Result | Promise<Result>;
  /** Whether the lookup is too expensive to run before the tables have changed. */
  readonly isSlow: boolean;
}

/** Waits until the result is newer than requested, the time is up, or the client disconnects; returns it in any case. */
export async function lookUpWhenChanged<Table extends string, Result extends { readonly index?: number }>({
  state,
  tables,
  wait,
  request,
  lookup,
  isSlow,
}: BlockingQuery<Table, Result>): Promise<{ readonly result: Result; readonly index: number }> {
  let isWaiting = wait.index > 0;
  const deadline = isWaiting ? performance.now() + wait.waitMs : 0;
  const { replacements } = state;
  for (;;) {
    const lastIndex = state.indexOf(...tables);
    isWaiting &&= state.replacements === replacements;
    if (!isWaiting || !isSlow || lastIndex > wait.index) {
      const result = await state.read(lookup);
      const { index = lastIndex } = result;
      if (!isWaiting || index > wait.index) return { result, index };
    }
    // A write during the lookup has not woken this request: check again.
    if (state.indexOf(...tables) === lastIndex) {
      isWaiting = await state.waitForChange(tables, deadline - performance.now(), request.signal);
    }
  }
}

/** A value that is encoded already: JSON in one line. */
export class EncodedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A response in JSON; indented if the query has `pretty`. Bytes are the complete body, indented or not. */
export function prettyResponse(
  { query }: HttpRequest,
  status: number,
  value: unknown,
  serviceHeaders: Readonly<Record<string, string>>,
): HttpResponse {
  const body = value instanceof Uint8Array ? value : encoded(value, query.has('pretty'));
  return { status, headers: { 'Content-Type': 'application/json' }, body, serviceHeaders };
}

function encoded(value: unknown, isPretty: boolean): string | JsonBody {
  if (value instanceof EncodedJson && !isPretty) return value.text;
  return new JsonBody(value instanceof EncodedJson ? parseJson(value.text) : value, isPretty ? 4 : 0);
}
