import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { Servers } from '../../../src/api/http/connection.ts';
import type { RawResponse } from '../../../src/api/http/response.ts';
import {
  electionDelayMs,
  type Outcome,
  Retries,
  retryReasonOf,
  retryText,
} from '../../../src/api/http/retry.ts';
import { networkErrorOf } from '../../../src/api/network-errors.ts';
import type { Body, Decoder, Retry } from '../../../src/api/operation.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { asIs, endpointOf } from './support.ts';

const [a, b, c] = ['https://a:8200', 'https://b:8200', 'https://c:8200'];

const responseOf = (status: number, text = '', headers: RawResponse['headers'] = {}): RawResponse => ({
  status,
  headers,
  text,
});
const limitedFor = (seconds?: number): RawResponse =>
  responseOf(429, '', seconds === undefined ? {} : { 'retry-after': String(seconds) });
const lost = (code: string, sent = true): Outcome => ({
  networkError: networkErrorOf(Object.assign(new Error(code), { code }), sent),
});
const refused = lost('ECONNREFUSED', false);
const sealed = responseOf(503, 'Vault is sealed');
const withoutLeader = responseOf(500, 'No cluster leader');
const starting = responseOf(500, 'local node not active but active cluster node not found');

const callOf = (service: ServiceName, retry: Retry, accepts: readonly number[] = [200]) => ({
  operation: { name: 'do it', service, retry, accepts, decode: asIs },
  tokenSent: true,
  secrets: [],
});

interface Setup extends Partial<Endpoint> {
  readonly retry?: Retry;
  readonly waits?: false;
  readonly random?: number;
  readonly servers?: Servers;
}

/** The retries of one call to the servers, and what they wrote. */
function retriesOf({ retry = 'write', waits, random = 1, servers, ...more }: Setup = {}) {
  const notes: string[] = [];
  const limits: unknown[] = [];
  const endpoint = endpointOf(a, { service: 'registry', ...more });
  const retries = new Retries(callOf(endpoint.service, retry), servers ?? new Servers(endpoint), {
    note: (text) => notes.push(text),
    random: () => random,
    ...(waits !== false && { noteRateLimit: (...limit: readonly unknown[]) => limits.push(limit) }),
  });
  /** The address and the delay of the next request after an outcome of a server. */
  const nextAfter = (outcome: Outcome, address = a) => {
    const server = { ...endpoint, address };
    retries.addTried(server);
    const next = retries.next(outcome, server);
    return next && [next.server.address, next.delayMs];
  };
  const delaysAfter = (outcome: Outcome, count: number) =>
    Array.from({ length: count }, () => nextAfter(outcome)?.[1]);
  return { nextAfter, delaysAfter, notes, limits };
}

describe('a command that waits for rate limits', () => {
  test('waits for each Retry-After of at most two minutes, also for a write', () => {
    for (const retry of ['read', 'write', 'once'] as const) {
      const { nextAfter, limits, notes } = retriesOf({ retry });
      expect(nextAfter(limitedFor(7))).toEqual([a, 7_000]);
      expect(nextAfter(limitedFor(120))).toEqual([a, 120_000]);
      expect(nextAfter(limitedFor(121))).toBeUndefined();
      expect(limits).toEqual([
        ['registry', 429, 7_000],
        ['registry', 429, 120_000],
      ]);
      expect(notes).toEqual([]);
    }
  });

  test('waits ten minutes in all', () => {
    const { nextAfter, delaysAfter } = retriesOf();
    expect(delaysAfter(limitedFor(100), 5)).toEqual(Array(5).fill(100_000));
    expect(nextAfter(limitedFor(101))).toBeUndefined();
    expect(nextAfter(limitedFor(100))).toEqual([a, 100_000]);
    expect(nextAfter(limitedFor(1))).toBeUndefined();
  });

  test.each([undefined, 0])('waits longer each time where the service states no time (%s)', (seconds) => {
    const { delaysAfter, limits } = retriesOf({ random: 0.5 });
    const expected = [250, 500, 1_000, 2_000, ...Array(20).fill(2_500), undefined];
    expect(delaysAfter(limitedFor(seconds), 25)).toEqual(expected);
    expect(limits).toEqual(Array(24).fill(['registry', 429, 0]));
  });

  test('does not wait longer because of other waits', () => {
    const { nextAfter, delaysAfter } = retriesOf();
    delaysAfter(limitedFor(1), 30);
    expect(nextAfter(limitedFor())).toEqual([a, 500]);
    expect(delaysAfter(limitedFor(), 24).at(-1)).toBeUndefined();
    expect(nextAfter(limitedFor(1))).toEqual([a, 1_000]);
  });

  test('adds the waits without a Retry-After to the ten minutes', () => {
    const { nextAfter, delaysAfter } = retriesOf();
    expect(nextAfter(limitedFor())).toEqual([a, 500]);
    delaysAfter(limitedFor(100), 5);
    expect(nextAfter(limitedFor(100))).toBeUndefined();
    expect(nextAfter(limitedFor(99))).toEqual([a, 99_000]);
  });

  test('waits after the 503 by which the registry limits writes', () => {
    const text =
      'rate limit exceeded for operation that can only be performed by the leader, try again later';
    const { nextAfter, limits } = retriesOf();
    expect(nextAfter(responseOf(503, text))).toEqual([a, 500]);
    expect(limits).toEqual([['registry', 503, 0]]);
  });

  test('does not wait with no retries, or after something else', () => {
    const withoutRetries = retriesOf({ maxRetries: 0 });
    expect(withoutRetries.nextAfter(limitedFor(1))).toBeUndefined();
    const { nextAfter, limits } = retriesOf();
    expect(nextAfter(responseOf(503))).toBeUndefined();
    expect(nextAfter(lost('ECONNRESET'))).toBeUndefined();
    expect([...limits, ...withoutRetries.limits]).toEqual([]);
  });

  test('asks another server first, if this one certainly did nothing', () => {
    const { nextAfter } = retriesOf({ addresses: [a, b] });
    expect(nextAfter(limitedFor(1))).toEqual([a, 1_000]);
    expect(nextAfter(refused)).toEqual([b, 0]);
  });
});

test('any other command retries a read after a rate limit like after other errors, and a write never', () => {
  const { nextAfter, notes } = retriesOf({ waits: false, retry: 'read' });
  expect(nextAfter(limitedFor(3))).toEqual([a, 3_000]);
  expect(nextAfter(limitedFor())).toEqual([a, 1_000]);
  expect(nextAfter(limitedFor())).toBeUndefined();
  expect(notes).toEqual([
    'service registry: status 429; retrying in 3.0 s (attempt 2 of 3)',
    'service registry: status 429; retrying in 1.0 s (attempt 3 of 3)',
  ]);
  expect(retriesOf({ waits: false }).nextAfter(limitedFor(3))).toBeUndefined();
});

describe('an election', () => {
  test('is waited for with 23 retries, each after at most a second, and one note', () => {
    const { delaysAfter, notes } = retriesOf();
    const expected = [250, 500, ...Array(21).fill(1_000), undefined];
    expect(delaysAfter(withoutLeader, 24)).toEqual(expected);
    expect(notes).toEqual(['service registry: status 500; retrying for some seconds']);
  });

  test('is waited for as often as the settings specify', () => {
    expect(retriesOf({ maxRetries: 1 }).delaysAfter(withoutLeader, 2)).toEqual([250, undefined]);
    expect(retriesOf({ maxRetries: 30 }).delaysAfter(withoutLeader, 31)).toEqual([
      ...[250, 500],
      ...Array(28).fill(1_000),
      undefined,
    ]);
  });

  test('has one note for all calls to the cluster', () => {
    const servers = new Servers(endpointOf(a, { service: 'registry' }));
    const [first, second] = [retriesOf({ servers }), retriesOf({ servers })];
    for (const { nextAfter } of [first, second]) expect(nextAfter(withoutLeader)).toEqual([a, 250]);
    expect(first.notes).toHaveLength(1);
    expect(second.notes).toEqual([]);
  });

  test('has a note for the first server, and none for those that are asked again', () => {
    const { nextAfter, notes } = retriesOf({ addresses: [a, b] });
    expect(nextAfter(withoutLeader, a)).toEqual([b, 0]);
    // The next attempt begins after the server that failed last.
    expect(nextAfter(withoutLeader, b)).toEqual([a, 250]);
    expect(nextAfter(refused, a)).toEqual([b, 0]);
    expect(nextAfter(refused, b)).toEqual([a, 500]);
    expect(notes).toEqual([
      `service registry: ${a}: status 500; trying ${b}`,
      'service registry: status 500; retrying for some seconds',
    ]);
  });

  test('explains the 403 of a server that restores its state', () => {
    const servers = new Servers(endpointOf(a, { service: 'scheduler' }));
    const scheduler = { service: 'scheduler', servers, retry: 'read' } as const;
    const denied = responseOf(403, 'Permission denied');
    expect(retriesOf(scheduler).nextAfter(denied)).toBeUndefined();
    expect(retriesOf(scheduler).nextAfter(withoutLeader)).toEqual([a, 250]);
    expect(retriesOf(scheduler).nextAfter(denied)).toEqual([a, 250]);
    expect(retriesOf({ ...scheduler, retry: 'write' }).nextAfter(denied)).toEqual([a, 250]);
    expect(retriesOf(scheduler).nextAfter(responseOf(404))).toBeUndefined();
    expect(retriesOf(scheduler).nextAfter(lost('ECONNRESET'))?.[1]).toBe(500);
  });
});

describe('another server', () => {
  test('is asked at once for a write only if this one did nothing', () => {
    const next = (outcome: Outcome, retry: Retry = 'write', service: ServiceName = 'secrets') =>
      retriesOf({ addresses: [a, b, c], retry, service }).nextAfter(outcome);
    for (const outcome of [refused, sealed, starting]) expect(next(outcome)).toEqual([b, 0]);
    for (const outcome of [lost('ECONNRESET'), responseOf(502)]) expect(next(outcome)).toBeUndefined();
    expect(next(lost('ECONNRESET'), 'repeat')).toEqual([b, 0]);
    const untrusted = responseOf(403, 'ACL system must be bootstrapped before making any requests');
    expect(next(untrusted, 'write', 'registry')).toEqual([b, 0]);
    expect(next(untrusted)).toBeUndefined();
  });

  test('is asked once in an attempt, and the next attempt asks all again', () => {
    const { nextAfter } = retriesOf({ addresses: [a, b, c] });
    expect(nextAfter(refused, a)).toEqual([b, 0]);
    expect(nextAfter(refused, b)).toEqual([c, 0]);
    expect(nextAfter(refused, c)).toEqual([a, 250]);
    expect(nextAfter(refused, a)).toEqual([b, 0]);
  });

  test('is named once in the notes', () => {
    const servers = new Servers(endpointOf(a, { addresses: [a, b] }));
    const shared = { service: 'secrets', addresses: [a, b], servers, retry: 'read' } as const;
    const [first, second] = [retriesOf(shared), retriesOf(shared)];
    for (const { nextAfter } of [first, second]) expect(nextAfter(lost('ETIMEDOUT'))).toEqual([b, 0]);
    expect(first.notes).toEqual([`secrets service: ${a}: request timed out; trying ${b}`]);
    expect(second.notes).toEqual([]);
  });
});

test('a response that the operation accepts has no next request', () => {
  expect(retriesOf({ retry: 'read' }).nextAfter(responseOf(200, '{}'))).toBeUndefined();
});

describe('why an attempt may be repeated', () => {
  const reasonOf = (
    outcome: Outcome,
    service: ServiceName = 'secrets',
    retry: Retry = 'read',
    more: Partial<Endpoint> = {},
  ) => retryReasonOf(outcome, callOf(service, retry), endpointOf(a, { service, ...more }));

  test('is a refused connection of the only server, or an election if there are more', () => {
    expect(reasonOf(refused)).toEqual({ kind: 'refused' });
    expect(reasonOf(refused, 'secrets', 'read', { addresses: [a] })).toEqual({ kind: 'refused' });
    expect(reasonOf(refused, 'secrets', 'read', { addresses: [a, b] })).toEqual({ kind: 'electing' });
  });

  test('is another network error, which may be lasting', () => {
    expect(reasonOf(lost('ECONNRESET'))).toEqual({ kind: 'network' });
    expect(reasonOf(lost('CERT_HAS_EXPIRED'))).toEqual({ kind: 'lasting' });
  });

  test.each<[ServiceName, RawResponse]>([
    ['secrets', starting],
    ['secrets', responseOf(503, 'no active Vault instance found')],
    ['secrets', responseOf(400, 'Upgrading from non-versioned to versioned data.')],
    ['registry', withoutLeader],
    ['scheduler', withoutLeader],
  ])('is an election for every class: %s %j', (service, outcome) => {
    for (const retry of ['read', 'write'] as const)
      expect(reasonOf(outcome, service, retry)).toEqual({ kind: 'electing' });
  });

  test.each<[ServiceName, RawResponse]>([
    ['secrets', responseOf(307)],
    ['registry', responseOf(500, 'leadership lost while committing log')],
  ])('is an election only for what may be sent twice: %s %j', (service, outcome) => {
    expect(reasonOf(outcome, service, 'repeat')).toEqual({ kind: 'electing' });
    expect(reasonOf(outcome, service, 'write')).toMatchObject({ kind: 'response', status: outcome.status });
  });

  test('is no election where the service is sealed, or another one redirects', () => {
    expect(reasonOf(sealed)).toEqual({
      kind: 'response',
      service: 'secrets',
      status: 503,
      sealed: true,
      after: undefined,
    });
    expect(reasonOf(responseOf(307), 'box')).toMatchObject({ kind: 'response', status: 307 });
    expect(reasonOf(responseOf(301))).toMatchObject({ kind: 'response', status: 301 });
  });

  test('has the Retry-After of the response', () => {
    expect(reasonOf(limitedFor(5), 'scheduler')).toEqual({
      kind: 'response',
      service: 'scheduler',
      status: 429,
      sealed: false,
      after: 5_000,
    });
  });

  test('does not exist for a status that the operation accepts and can decode', () => {
    const { operation, ...call } = callOf('secrets', 'read', [200, 404, 500, 503]);
    const accepting = (outcome: RawResponse, decode: Decoder<Body> = asIs) =>
      retryReasonOf(outcome, { ...call, operation: { ...operation, decode } }, endpointOf(a));
    const invalid = () => {
      throw new Error('sealed: missing');
    };
    expect(accepting(responseOf(503, '{}'))).toBeUndefined();
    for (const status of [500, 503])
      expect(accepting(responseOf(status), invalid)).toMatchObject({ kind: 'response', status });
    const { decode: _, ...withoutDecoder } = operation;
    expect(
      retryReasonOf(responseOf(503), { ...call, operation: withoutDecoder }, endpointOf(a)),
    ).toBeUndefined();
    expect(accepting(responseOf(503, '<html>', { 'content-type': 'text/html' }))).toMatchObject({
      status: 503,
    });
    for (const status of [200, 404]) expect(accepting(responseOf(status), invalid)).toBeUndefined();
    expect(accepting(responseOf(502))).toMatchObject({ status: 502 });
  });
});

test('the delays of an election double up to a second, and end with the 24th attempt', () => {
  expect([1, 2, 3, 4, 23, 24].map(electionDelayMs)).toEqual([250, 500, 1_000, 1_000, 1_000, undefined]);
});

test('a note has the delay in tenths of a second, or none below a twentieth', () => {
  expect([0, 49, 50, 449, 12_000].map(retryText)).toEqual([
    'retrying',
    'retrying',
    'retrying in 0.1 s',
    'retrying in 0.4 s',
    'retrying in 12.0 s',
  ]);
});
