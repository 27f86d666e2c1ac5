import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { onConnected } from '../../../src/api/http/connection.ts';
import type { Call } from '../../../src/api/http/response.ts';
import { retryReasonOf } from '../../../src/api/http/retry.ts';
import {
  afterForwarding,
  interrupted,
  isProtocolError,
  type NetworkError,
  networkErrorOf,
  networkFailure,
  reasonOf,
} from '../../../src/api/network-errors.ts';
import { LanyardError } from '../../../src/errors.ts';
import { endpointOf, errorOf, operation, request, serveSocket } from './support.ts';

const address = 'https://vault.example.com:8200';
const endpoint = endpointOf(address);
const call = (retry: 'read' | 'repeat' | 'write' | 'once', secrets: readonly string[] = []) => ({
  operation: operation(retry),
  tokenSent: true,
  secrets,
});
const loss = (code: string, more: Partial<NetworkError> = {}): NetworkError => ({
  code,
  text: 'text',
  sent: false,
  ...more,
});

const retryOf = (networkError: NetworkError) => retryReasonOf({ networkError }, call('read'), endpoint);

const checkAddress = 'Check that it is running and that the address is correct.';
const certificateAuthority = 'Set ca-cert in the profile, or the CACERT variable of the service.';
const clientCertificate =
  'It may require a client certificate: set client-cert and client-key in the profile.';

/** The error codes of Node and OpenSSL, what the error message says of each, and the hint. */
const passing: readonly (readonly [code: string, what: string, hint?: string])[] = [
  [
    'ECONNREFUSED',
    'connection refused',
    `${checkAddress} Run \`lanyard dev\` to start the embedded services.`,
  ],
  ['ECONNRESET', 'connection closed before the response was complete'],
  ['EPIPE', 'connection closed before the response was complete'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'incomplete response'],
  ['HPE_INVALID_EOF_STATE', 'incomplete response'],
  ['ETIMEDOUT', 'request timed out', 'Set a longer timeout with --timeout.'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'network is unreachable'],
  ['EAI_AGAIN', 'temporary failure in name resolution'],
  ['E_OTHER', 'text'],
];
const lasting: readonly (readonly [code: string, what: string, hint?: string])[] = [
  ['ENOTFOUND', 'no such host', 'Check the address.'],
  ['ENOENT', 'no such unix socket', 'Check that it is running and that the path is correct.'],
  ['EACCES', 'permission denied', 'The unix socket belongs to another user or group: check its mode.'],
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code) => [code, 'certificate signed by unknown authority', certificateAuthority] as const),
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'certificate is not valid for this host name',
    'If the name in the certificate is correct, set server-name in the profile.',
  ],
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].map(
    (code) =>
      [
        code,
        'the server does not support TLS',
        'Check whether the address is http rather than https.',
      ] as const,
  ),
  ...['ERR_SSL_UNSUPPORTED_PROTOCOL', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'].map(
    (code) => [code, 'unsupported TLS version', 'TLS 1.2 or 1.3 is required.'] as const,
  ),
  ['EPROTO', 'TLS handshake failed'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'TLS handshake rejected by the server', clientCertificate],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'TLS handshake rejected by the server', clientCertificate],
  ['ERR_SSL_BAD_EXTENSION', 'TLS failed (ERR_SSL_BAD_EXTENSION)'],
  ['ERR_TLS_INVALID_CONTEXT', 'TLS failed (ERR_TLS_INVALID_CONTEXT)'],
  ['CERT_REVOKED', 'TLS failed (CERT_REVOKED)'],
];

describe('a service that cannot be reached', () => {
  const table = [
    ...passing.map(([code, what, hint]) => ({ code, what, hint, retryable: true })),
    ...lasting.map(([code, what, hint]) => ({ code, what, hint, retryable: false })),
  ];

  test.each(table)('$code is "$what"; retryable: $retryable', ({ code, what, hint, retryable }) => {
    const error = networkFailure(call('read'), loss(code), endpoint);
    expect(error).toMatchObject({
      kind: 'unreachable',
      message: `cannot reach the secrets service at ${address}: ${what}`,
      service: 'secrets',
      details: [],
      retryable,
    });
    expect(error.hint).toBe(hint);
    expect(reasonOf(loss(code), endpoint).what).toBe(what);
    expect(retryOf(loss(code))?.kind).toBe(
      code === 'ECONNREFUSED' ? 'refused' : retryable ? 'network' : 'lasting',
    );
  });

  test.each([
    'tunneling socket could not be established, statusCode=407',
    'Bad response: 4x7',
    'a Bad response: 407',
    'Bad response: 407 and more',
  ])('an unknown error has its own text: %s', (text) => {
    expect(reasonOf(loss('E_OTHER', { text }), endpoint).what).toBe(text);
    expect(retryOf(loss('E_OTHER', { text }))).toEqual({ kind: 'network' });
  });

  test('a proxy that rejects the tunnel is named by its status and not retried', () => {
    const rejected = loss('undefined', { text: 'Bad response: 407' });
    expect(reasonOf(rejected, endpoint).what).toBe('the proxy responded with status 407');
    expect(retryOf(rejected)).toEqual({ kind: 'lasting' });
  });

  test('the hint of a connection refused by a proxy names the proxy', () => {
    const proxied = { ...endpoint, proxy: 'http://proxy.example.com:3128' };
    const hint = (code: string, at = proxied) => networkFailure(call('read'), loss(code), at).hint;
    expect(hint('ECONNREFUSED')).toBe('A proxy is set: check that it is running.');
    expect(reasonOf(loss('ECONNREFUSED'), proxied).what).toBe('connection refused');
    expect(hint('ETIMEDOUT')).toBe('Set a longer timeout with --timeout.');
    // Loopback is reached without a proxy.
    expect(hint('ECONNREFUSED', { ...proxied, address: 'http://127.0.0.1:8200' })).toContain('lanyard dev');
    // An address that is no URL has no proxy.
    expect(hint('ECONNREFUSED', { ...proxied, address: 'nonsense' })).toContain('lanyard dev');
  });

  test('the message names the server, or all of several, or the path of a unix socket', () => {
    const message = (at: Parameters<typeof networkFailure>[2]) =>
      networkFailure(call('read'), loss('ETIMEDOUT'), at).message;
    const other = 'https://vault-2.example.com:8200';
    expect(message({ ...endpoint, address: `${address}/base` })).toContain(`at ${address}: request`);
    expect(message({ ...endpoint, addresses: [other] })).toContain(`at ${address}: request`);
    expect(message({ ...endpoint, addresses: [address, other] })).toContain(
      `at ${address}, ${other}: request`,
    );
    expect(message({ ...endpoint, address: 'unix:///run/agent.sock' })).toContain(
      'at unix:///run/agent.sock: request',
    );
    expect(message({ ...endpoint, address: 'nonsense' })).toContain('at nonsense: request');
  });

  test('a secret in the text of an error is redacted', () => {
    const text = 'cannot parse "correct-horse-battery"';
    for (const sent of [false, true]) {
      const error = networkFailure(
        call('once', ['correct-horse-battery']),
        loss('E_OTHER', { text, sent }),
        endpoint,
      );
      expect(error.message).toMatch(/: cannot parse "<redacted>"$/);
    }
  });
});

describe('a write whose response was lost', () => {
  const sent = loss('ECONNRESET', { sent: true });
  const unknown = 'The request was sent; whether "do the thing" took effect is not known.';

  test.each([
    ['write', 'Check the current state before you retry.'],
    ['once', 'The result cannot be verified. Check for side effects before you retry.'],
  ] as const)('has an unknown outcome, and a hint how to verify it (%s)', (retry, hint) => {
    const error = networkFailure(call(retry), sent, endpoint);
    expect(error).toMatchObject({
      kind: 'unknown',
      message: 'do the thing: outcome unknown: connection closed before the response was complete',
      service: 'secrets',
      details: [unknown],
      retryable: false,
      hint,
    });
  });

  test.each(['read', 'repeat'] as const)('is not a write if it may be repeated (%s)', (retry) => {
    expect(networkFailure(call(retry), sent, endpoint).kind).toBe('unreachable');
  });

  test('had no effect if nothing was sent', () => {
    expect(networkFailure(call('write'), loss('ECONNRESET'), endpoint)).toMatchObject({
      kind: 'unreachable',
      details: [],
    });
  });

  test('that was interrupted says whether it was sent', () => {
    expect(interrupted(call('write'), true)).toMatchObject({
      kind: 'interrupted',
      message: 'do the thing: interrupted',
      service: 'secrets',
      details: [unknown],
    });
    expect(interrupted(call('write'), false).details).toEqual([]);
    expect(interrupted(call('read'), true).details).toEqual([]);
  });
});

describe('a response that is not valid HTTP', () => {
  test.each([
    ['HPE_HEADER_OVERFLOW', 'the response headers are too large'],
    ['HPE_INVALID_CHUNK_SIZE', 'invalid chunk in the response body'],
    ['HPE_INVALID_CONTENT_LENGTH', 'invalid Content-Length or Transfer-Encoding'],
    ['HPE_UNEXPECTED_CONTENT_LENGTH', 'invalid Content-Length or Transfer-Encoding'],
    ['HPE_INVALID_TRANSFER_ENCODING', 'invalid Content-Length or Transfer-Encoding'],
    ['HPE_INVALID_CONSTANT', 'invalid HTTP response'],
    ['HPE_UNEXPECTED_UPGRADE', 'unexpected status 101 (Switching Protocols)'],
  ])('%s is "%s", and not retried', (code, what) => {
    const read = networkFailure(call('read'), loss(code, { sent: true }), endpoint);
    expect(read).toMatchObject({
      kind: 'failure',
      message: `unexpected response from the secrets service: ${what}`,
      service: 'secrets',
      details: [],
      hint: 'Check the address: another service may be responding there.',
      retryable: false,
    });
    const write = networkFailure(call('write'), loss(code, { sent: true }), endpoint);
    expect(write).toMatchObject({
      kind: 'unknown',
      message: read.message,
      details: ['The request was sent; whether "do the thing" took effect is not known.'],
    });
    expect(retryOf(loss(code))).toEqual({ kind: 'lasting' });
    expect(isProtocolError({ code })).toBe(true);
  });

  test.each(['HPE_INVALID_EOF_STATE', 'ECONNRESET', 'X_HPE_INVALID_CONSTANT'])(
    'is not an incomplete or lost one (%s)',
    (code) => expect(isProtocolError({ code })).toBe(false),
  );

  test.each([
    ['a chunk size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 'invalid chunk in the response body'],
    ['a length', 'Content-Length: 2x\r\n\r\n{}', 'invalid Content-Length or Transfer-Encoding'],
    [
      'a length and chunks',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'invalid Content-Length or Transfer-Encoding',
    ],
  ])('is named as Node reports it: %s', async (_name, rest, what) => {
    const { url, seen } = await serveSocket((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    const error = await errorOf(request(url));
    expect(error.message).toBe(`unexpected response from the secrets service: ${what}`);
    expect(seen).toHaveLength(1);
  });
});

describe('the code of a failed attempt', () => {
  const failed = (code: string, message = '') => Object.assign(new Error(message), { code });

  test('is the code of the error, with its text', () => {
    expect(networkErrorOf(failed('ECONNRESET', 'socket hang up'), true)).toEqual({
      code: 'ECONNRESET',
      text: 'socket hang up',
      sent: true,
    });
    expect(networkErrorOf(failed('ECONNRESET'), false).sent).toBe(false);
  });

  // As Node 24 reports them where the handshake fails while the request is written.
  test.each([
    [
      'write EPROTO 140:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:354:\n',
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ],
    [
      'write EPROTO 808B:error:0A000412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1605:SSL alert number 42\n',
      'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    ],
    [
      'write EPROTO 1:error:1:SSL routines::tlsv1  alert -protocol version\n',
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    ],
    ['write EPROTO 1:error:1:SSL routines:: unsupported protocol :x', 'ERR_SSL_UNSUPPORTED_PROTOCOL'],
    ['write EPROTO', 'EPROTO'],
  ])('of a failed handshake is in its text: %j', (message, code) => {
    expect(networkErrorOf(failed('EPROTO', message), true).code).toBe(code);
  });

  test('of another error does not come from its text', () => {
    const text = 'error:1:SSL routines:x:wrong version number:';
    expect(networkErrorOf(failed('ECONNRESET', text), true).code).toBe('ECONNRESET');
  });

  // TLS 1.3: the client's side of the handshake is done, and the request on its way, when the server rejects it.
  test.each([
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_TLSV1_UNRECOGNIZED_NAME_ALERT_UNRECOGNIZED_NAME',
    'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR',
  ])('%s means that the server read nothing, although the connection stood', (code) => {
    expect(networkErrorOf(failed(code), true).sent).toBe(false);
  });

  test.each(['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'ERR_SSL_DECRYPT_ERROR', 'X_ERR_SSL_ALERT_UNKNOWN_CA'])(
    '%s leaves open what the server read',
    (code) => expect(networkErrorOf(failed(code), true).sent).toBe(true),
  );
});

describe('a connection is open', () => {
  const socketOf = (state: { connecting?: boolean; secureConnecting?: boolean }) =>
    Object.assign(new EventEmitter(), state) as unknown as Socket & { secureConnecting?: boolean };
  const openedBy = (state: Parameters<typeof socketOf>[0], ...events: readonly string[]) => {
    const socket = socketOf(state);
    let opened = 0;
    onConnected(socket, () => opened++);
    const first = opened;
    const after = events.map((event) => {
      socket.emit(event);
      return opened;
    });
    return [first, ...after];
  };

  test('after the handshake of TLS', () => {
    expect(openedBy({ connecting: true, secureConnecting: true }, 'connect', 'secureConnect')).toEqual([
      0, 0, 1,
    ]);
    expect(openedBy({ connecting: false, secureConnecting: true }, 'connect', 'secureConnect')).toEqual([
      0, 0, 1,
    ]);
  });

  test('when it is connected, without TLS', () => {
    expect(openedBy({ connecting: true, secureConnecting: false }, 'secureConnect', 'connect')).toEqual([
      0, 0, 1,
    ]);
  });

  test('immediately, if it is reused from an earlier request', () => {
    expect(openedBy({ connecting: false, secureConnecting: false }, 'connect')).toEqual([1, 1]);
  });
});

describe('afterForwarding: a rejection after a standby that may have forwarded the write', () => {
  const call: Call = { operation: operation('write'), tokenSent: true, secrets: [] };

  test.each(['conflict', 'failure', 'unavailable', 'unreachable'] as const)('%s: outcome unknown', (kind) => {
    const rejection = new LanyardError(kind, 'rejected', { status: 400, details: ['a'], hint: 'Do it.' });
    const error = afterForwarding(call, rejection);
    expect(error).toMatchObject({
      kind: 'unknown',
      message: `${call.operation.name}: outcome unknown: rejected`,
      service: call.operation.service,
      status: 400,
      details: ['a', 'A standby may have forwarded the request before, and it may have taken effect.'],
      hint: 'Check the current state before you retry. Do it.',
      cause: rejection,
    });
    expect(afterForwarding(call, new LanyardError(kind, 'rejected')).hint).toBe(
      'Check the current state before you retry.',
    );
  });

  test.each(['forbidden', 'unauthenticated', 'not_found', 'usage'] as const)('%s: itself', (kind) => {
    const rejection = new LanyardError(kind, 'rejected');
    expect(afterForwarding(call, rejection)).toBe(rejection);
  });
});
