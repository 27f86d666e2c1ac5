import { formatJson } from '../../../wire/json.ts';
import { type Answer, textAnswer } from '../../http/service.ts';
import type { Table, View } from '../state/draft.ts';
import type { Call } from './call.ts';
import { type ReadParameters, readParameters } from './parameters.ts';

/** What a read found. */
export interface Found {
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
export async function read(
  call: Call,
  tables: readonly Table[],
  look: (view: View) => Found,
): Promise<Answer> {
  const { registry, request } = call;
  const parameters = readParameters(request);
  const { state } = registry;
  const seen = () => {
    const found = look(state.view);
    return { found, index: Math.max(1, found.index ?? state.indexOf(...tables)) };
  };
  let { found, index } = seen();
  if (parameters.index > 0) {
    const until = performance.now() + parameters.wait * (1 + fraction(registry.random) / 16);
    while (index <= parameters.index) {
      if (!(await state.changeOf(tables, until - performance.now(), request.over))) break;
      ({ found, index } = seen());
    }
  }
  await state.settled();
  return answer(call, found, { ...readHeaders(call, parameters, found.filtered), Index: String(index) });
}

/**
 * Answers a read of one table that takes its time: it waits as `read` does, and looks afterwards.
 * @param look what it finds, and the index at which it is so
 */
export async function readLong(
  call: Call,
  table: Table,
  look: () => Promise<Found & { readonly index: number }>,
): Promise<Answer> {
  const { registry, request } = call;
  const parameters = readParameters(request);
  const { state } = registry;
  const until = performance.now() + parameters.wait * (1 + fraction(registry.random) / 16);
  while (parameters.index > 0 && state.indexOf(table) <= parameters.index) {
    if (!(await state.changeOf([table], until - performance.now(), request.over))) break;
  }
  const found = await look();
  await state.settled();
  const headers = readHeaders(call, parameters, found.filtered);
  return answer(call, found, { ...headers, Index: String(found.index) });
}

/** Answers a read that never waits: of what never changes, if it has no index. */
export function readOnce(call: Call, found: Found): Answer {
  return answer(call, found, {
    ...readHeaders(call, readParameters(call.request), found.filtered),
    Index: String(found.index ?? 1),
  });
}

/**
 * The answer to a read that an agent could have kept (`?cached`): this one was looked up for the very request, and
 * says so (docs/protocol/registry.md#requests-and-responses).
 */
export function lookedUp({ request }: Call, answer: Answer): Answer {
  if (!request.query.has('cached')) return answer;
  return { ...answer, headers: { ...answer.headers, 'X-Cache': 'MISS', Age: '0' } };
}

/** Answers a write with JSON. */
export function written(call: Call, value: unknown): Answer {
  return answer(call, { value }, { 'Default-ACL-Policy': call.registry.acl.defaultPolicy });
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
export function answer(
  { request }: Pick<Call, 'request'>,
  { status = 200, value, bytes, json }: Found,
  prefixed: Readonly<Record<string, string>>,
): Answer {
  if (bytes) {
    // A browser must not take what someone stored here for a page.
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': 'sandbox',
    };
    return { status, headers, body: bytes, prefixed };
  }
  if (value === undefined && json === undefined) return textAnswer(status, '', { prefixed });
  const body = json ?? (request.query.has('pretty') ? `${formatJson(value, 4)}\n` : formatJson(value));
  return { status, headers: { 'Content-Type': 'application/json' }, body, prefixed };
}

/** From 0 to 1. */
function fraction(random: (length: number) => Uint8Array): number {
  return Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
}
