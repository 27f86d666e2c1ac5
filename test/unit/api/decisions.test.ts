import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { Servers } from '../../../src/api/http/connection.ts';
import { Decisions, type Progress, type Sending } from '../../../src/api/http/decisions.ts';
import type { RawResponse } from '../../../src/api/http/response.ts';
import type { Retry } from '../../../src/api/operation.ts';
import { LanyardError } from '../../../src/errors.ts';
import { asIs, endpointOf, optionsOf } from './support.ts';

const [a, b] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
const requestAt = ({ address }: Endpoint, path = '/v1/thing') => ({
  method: 'GET',
  url: new URL(address + path),
  headers: { Accept: 'application/json' },
  body: undefined,
});
const responseOf = (status: number, text = '', headers: RawResponse['headers'] = {}): RawResponse => ({
  status,
  headers,
  text,
});
const errorWith = (code: string) => Object.assign(new Error(code), { code });

/** The decisions of one call, and what was reported. */
function decisionsOf(retry: Retry = 'read', more: Partial<Endpoint> = {}, signal?: AbortSignal) {
  const endpoint = endpointOf(a, more);
  const reports: unknown[] = [];
  const decisions = new Decisions({
    call: {
      operation: { name: 'do it', service: 'secrets', retry, accepts: [200], decode: asIs },
      tokenSent: true,
      secrets: [],
    },
    servers: new Servers(endpoint),
    requestAt,
    options: optionsOf(signal && { signal }),
    report: {
      received: ({ status }, isRedirect) => reports.push([status, isRedirect]),
      lost: (code) => reports.push(code),
    },
  });
  const first: Sending = {
    server: endpoint,
    request: requestAt(endpoint),
    isFirst: true,
    keepAlive: true,
    hops: 0,
  };
  return { decisions, first, endpoint, reports };
}

/** The error that a decision ends with. */
function errorOf(decide: () => unknown): LanyardError {
  try {
    decide();
  } catch (error) {
    if (error instanceof LanyardError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('a kept connection that the service closed', () => {
  /** A request that was sent on a connection which had another one before. */
  const sentOn = (reusedSocket: boolean) => {
    const sent = httpRequest(`${a}/v1/thing`).on('error', () => {});
    sent.reusedSocket = reusedSocket;
    sent.destroy();
    return sent;
  };
  const nextAfter = (progress: Progress) => {
    const { decisions, first, reports } = decisionsOf();
    return { next: decisions.next(first, { isOpen: true, ...progress }), first, reports };
  };

  test.each(['ECONNRESET', 'EPIPE'])('is replaced by a new one at once (%s)', (code) => {
    const { next, first, reports } = nextAfter({ error: errorWith(code), sent: sentOn(true) });
    expect(next).toEqual({ send: { ...first, isFirst: false, keepAlive: false }, afterMs: 0 });
    expect(reports).toEqual([code]);
  });

  test('is an attempt if it was new, or the error is another', () => {
    for (const progress of [
      { error: errorWith('ECONNRESET'), sent: sentOn(false) },
      { error: errorWith('ECONNRESET') },
      { error: errorWith('ETIMEDOUT'), sent: sentOn(true) },
    ])
      expect(nextAfter(progress).next).toMatchObject({ send: { isFirst: false, keepAlive: true, hops: 0 } });
  });
});

describe('a redirect', () => {
  test('within the origin is followed with the same headers, and counts in the attempt', () => {
    const { decisions, first, endpoint, reports } = decisionsOf();
    const next = decisions.next({ ...first, hops: 2 }, responseOf(307, '', { location: '/v1/other' }));
    expect(next).toEqual({
      send: { ...first, request: requestAt(endpoint, '/v1/other'), isFirst: false, hops: 3 },
      afterMs: 0,
    });
    expect(reports).toEqual([[307, true]]);
  });

  test('that is not followed is reported as a response', () => {
    const { decisions, first, reports } = decisionsOf();
    const location = 'http://other.example.com/v1/thing';
    expect(errorOf(() => decisions.next(first, responseOf(307, '', { location }))).kind).toBe('unavailable');
    expect(reports).toEqual([[307, false]]);
  });

  test('in an incomplete response is not followed', async () => {
    const { decisions, first, reports } = decisionsOf();
    const incomplete = { ...responseOf(503, '', { location: '/v1/other' }), incomplete: true } as const;
    expect(decisions.next(first, incomplete)).toMatchObject({ send: { request: first.request, hops: 0 } });
    expect(reports).toEqual([]);
  });

  test('to another server of the settings makes it the current one', () => {
    const { decisions, first } = decisionsOf('read', { addresses: [a, b] });
    const next = decisions.next(first, responseOf(307, '', { location: `${b}/v1/thing` }));
    expect(next).toMatchObject({ send: { server: { address: b }, hops: 1 } });
  });
});

describe('a write', () => {
  const standby = responseOf(503, '{"errors":["no active Vault instance found"]}');

  test('may be applied after a standby that may have forwarded it, until a server is sealed', () => {
    const { decisions, first } = decisionsOf('write', { maxRetries: 5 });
    expect(decisions.mayBeApplied).toBe(false);
    decisions.next(first, standby);
    expect(decisions.mayBeApplied).toBe(true);
    decisions.next(first, responseOf(500, 'local node not active but active cluster node not found'));
    expect(decisions.mayBeApplied).toBe(true);
    decisions.next(first, responseOf(503, 'Vault is sealed'));
    expect(decisions.mayBeApplied).toBe(false);
  });

  test('may be applied after a standby that redirects it to another server', () => {
    const { decisions, first } = decisionsOf('write', { addresses: [a, b] });
    const sending = { ...first, request: { ...first.request, method: 'POST' } };
    decisions.next(sending, responseOf(307, '', { location: `${b}/v1/thing` }));
    expect(decisions.mayBeApplied).toBe(true);
  });

  test.each(['read', 'repeat'] as const)('is not what may be sent twice (%s)', (retry) => {
    const { decisions, first } = decisionsOf(retry);
    decisions.next(first, standby);
    expect(decisions.mayBeApplied).toBe(false);
  });
});

describe('an interruption', () => {
  test('is no retry after a complete response', () => {
    const { decisions, first } = decisionsOf('read', {}, AbortSignal.abort());
    expect(decisions.next(first, responseOf(503))).toEqual({ result: responseOf(503) });
  });

  test('leaves a write unknown only if bytes may have left', () => {
    for (const [progress, details] of [
      [{}, 0],
      [{ isOpen: true }, 1],
    ] as const) {
      const { decisions, first } = decisionsOf('write', {}, AbortSignal.abort());
      const error = errorOf(() => decisions.next(first, { ...progress, error: errorWith('ABORT_ERR') }));
      expect(error.kind).toBe('interrupted');
      expect(error.details).toHaveLength(details);
    }
  });
});

test('a retry is built for its server, and is not the first request', () => {
  const { decisions, first } = decisionsOf('read', { addresses: [a, b] });
  const next = decisions.next(
    { ...first, request: requestAt(first.server, '/v1/redirected'), hops: 3 },
    { error: errorWith('ECONNREFUSED') },
  );
  expect(next).toEqual({
    send: {
      server: expect.objectContaining({ address: b }),
      request: requestAt(endpointOf(b)),
      isFirst: false,
      keepAlive: true,
      hops: 0,
    },
    afterMs: 0,
  });
});

test('a lost response without a retry is a network error of its server', () => {
  const { decisions, first, reports } = decisionsOf('read', { maxRetries: 0 });
  const error = errorOf(() => decisions.next(first, { error: errorWith('ECONNRESET'), isOpen: true }));
  expect(error).toMatchObject({ kind: 'unreachable' });
  expect(reports).toEqual(['ECONNRESET']);
});
