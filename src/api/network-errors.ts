import { LanyardError } from '../errors.ts';
import { originOf, parseAddress } from './address.ts';
import type { Endpoint } from './endpoint.ts';
import { upgradeCode } from './http/connection.ts';
import { type Call, effectDetails } from './http/response.ts';
import { proxyOf } from './proxies.ts';
import { redact } from './redaction.ts';
import { services } from './services.ts';

/** An attempt that ended without a complete response. */
export interface NetworkError {
  /** Node's or OpenSSL's: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly code: string;
  readonly text: string;
  /** Whether bytes of the request may have reached the service. */
  readonly sent: boolean;
}

interface Reason {
  /** "connection refused" */
  readonly what: string;
  readonly hint: string | undefined;
  /** A retry would fail in the same way: for example a certificate or an unknown host. */
  readonly isLasting: boolean;
}

// In TLS 1.3 a server rejects a client certificate after the client's side of the handshake, when the request is already
// on its way; the server does not read it.
const rejectedHandshake =
  /^ERR_SSL_.*ALERT.*(CERTIFICATE|UNKNOWN_CA|HANDSHAKE|ACCESS_DENIED|PROTOCOL_VERSION|UNRECOGNIZED_NAME|DECRYPT_ERROR)/;

/** Whether the response violates HTTP itself (framing, status line, header fields). An incomplete one does not. */
export const isProtocolError = ({ code }: Pick<NetworkError, 'code'>): boolean =>
  code.startsWith('HPE_') && code !== truncatedCode;

/** The connection was closed within the head or a chunk. */
const truncatedCode = 'HPE_INVALID_EOF_STATE';

/** Classifies the error that ended an attempt. `open`: the connection was open, so that bytes may have left. */
export function networkErrorOf(error: unknown, open: boolean): NetworkError {
  const { code: reported, message } = error as { code?: unknown; message?: unknown };
  const code = reported === 'EPROTO' ? handshakeCode(String(message)) : String(reported);
  return { code, text: String(message), sent: open && !rejectedHandshake.test(code) };
}

/** A handshake that fails during a write has its reason only in the text of OpenSSL. */
function handshakeCode(text: string): string {
  const reason = /:SSL routines:[^:]*:([^:\n]+)/.exec(text)?.[1];
  return reason === undefined ? 'EPROTO' : `ERR_SSL_${reason.trim().toUpperCase().replaceAll(/\W+/g, '_')}`;
}

/**
 * The error of a failed attempt: `unknown` if a write may have taken effect, `unreachable` if not (or if the operation is
 * repeatable), `failure` if the response to a read is not valid HTTP.
 */
export function networkFailure(
  { operation, secrets }: Call,
  networkError: NetworkError,
  endpoint: Endpoint,
): LanyardError {
  const { service, name } = operation;
  const { title } = services[service];
  const { what, hint, isLasting } = reasonOf(networkError, endpoint);
  const shown = redact(what, secrets);
  const details = networkError.sent ? effectDetails(operation) : [];
  const isUnknown = details.length > 0;
  if (isProtocolError(networkError)) {
    return new LanyardError(
      isUnknown ? 'unknown' : 'failure',
      `unexpected response from the ${title}: ${shown}`,
      { service, details, hint: 'Check the address: another service may be responding there.' },
    );
  }
  if (isUnknown) {
    return new LanyardError('unknown', `${name}: outcome unknown: ${shown}`, {
      service,
      details,
      hint:
        operation.retry === 'write'
          ? 'Check the current state before you retry.'
          : 'The result cannot be verified. Check for side effects before you retry.',
    });
  }
  return new LanyardError('unreachable', `cannot reach the ${title} at ${serversOf(endpoint)}: ${shown}`, {
    service,
    retryable: !isLasting,
    hint,
  });
}

/** Every server that was tried. */
const serversOf = ({ address, addresses }: Endpoint): string =>
  (addresses !== undefined && addresses.length > 1 ? addresses : [address])
    .map((each) => originOf(each) ?? each)
    .join(', ');

/**
 * The error of a write that a standby may have forwarded before another server rejected it: that may be the effect of
 * the first attempt. Its `cause` is the rejection.
 */
export function afterForwarding({ operation }: Call, error: LanyardError): LanyardError {
  if (!['conflict', 'failure', 'unavailable', 'unreachable'].includes(error.kind)) return error;
  const { name, service } = operation;
  return new LanyardError('unknown', `${name}: outcome unknown: ${error.message}`, {
    service,
    status: error.status,
    details: [
      ...error.details,
      'A standby may have forwarded the request before, and it may have taken effect.',
    ],
    hint: [
      'Check the current state before you retry.',
      ...(error.hint === undefined ? [] : [error.hint]),
    ].join(' '),
    cause: error,
  });
}

/** The signal ended a call; details say what may have taken effect. */
export function interrupted(call: Call, sent: boolean): LanyardError {
  return new LanyardError('interrupted', `${call.operation.name}: interrupted`, {
    service: call.operation.service,
    details: sent ? effectDetails(call.operation) : [],
  });
}

const temporary = (what: string, hint?: string): Reason => ({ what, hint, isLasting: false });
const lasting = (what: string, hint?: string): Reason => ({ what, hint, isLasting: true });

const closedEarly = temporary('connection closed before the response was complete');
const incomplete = temporary('incomplete response');
const invalidLength = lasting('invalid Content-Length or Transfer-Encoding');
const unknownAuthority = lasting(
  'certificate signed by unknown authority',
  'Set ca-cert in the profile, or the CACERT variable of the service.',
);
const notTls = lasting(
  'the server does not support TLS',
  'Check whether the address is http rather than https.',
);
const unsupportedTlsVersion = lasting('unsupported TLS version', 'TLS 1.2 or 1.3 is required.');

const reasons: { readonly [code: string]: Reason } = {
  ECONNREFUSED: temporary(
    'connection refused',
    'Check that it is running and that the address is correct. Run `lanyard dev` to start the embedded services.',
  ),
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  ENOENT: lasting('no such unix socket', 'Check that it is running and that the path is correct.'),
  EACCES: lasting('permission denied', 'The unix socket belongs to another user or group: check its mode.'),
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: incomplete,
  [truncatedCode]: incomplete,
  ETIMEDOUT: temporary('request timed out', 'Set a longer timeout with --timeout.'),
  EHOSTUNREACH: temporary('no route to host'),
  ENETUNREACH: temporary('network is unreachable'),
  EAI_AGAIN: temporary('temporary failure in name resolution'),
  ENOTFOUND: lasting('no such host', 'Check the address.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: lasting('certificate has expired'),
  CERT_NOT_YET_VALID: lasting('certificate is not yet valid'),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting(
    'certificate is not valid for this host name',
    'If the name in the certificate is correct, set server-name in the profile.',
  ),
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: unsupportedTlsVersion,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: unsupportedTlsVersion,
  EPROTO: lasting('TLS handshake failed'),
  [upgradeCode]: lasting('unexpected status 101 (Switching Protocols)'),
  HPE_HEADER_OVERFLOW: lasting('the response headers are too large'),
  HPE_INVALID_CHUNK_SIZE: lasting('invalid chunk in the response body'),
  HPE_INVALID_CONTENT_LENGTH: invalidLength,
  HPE_UNEXPECTED_CONTENT_LENGTH: invalidLength,
  HPE_INVALID_TRANSFER_ENCODING: invalidLength,
};

/** The reason of a network error, for messages and notes. */
export function reasonOf({ code, text }: NetworkError, endpoint: Endpoint): Reason {
  const known = reasons[code];
  if (known) {
    const home = code === 'ECONNREFUSED' ? parseAddress(endpoint.address)?.url : undefined;
    return home && proxyOf(endpoint, home)
      ? { ...known, hint: 'A proxy is set: check that it is running.' }
      : known;
  }
  if (code.startsWith('HPE_')) return lasting('invalid HTTP response');
  if (rejectedHandshake.test(code)) {
    return lasting(
      'TLS handshake rejected by the server',
      'It may require a client certificate: set client-cert and client-key in the profile.',
    );
  }
  if (/SSL|TLS|CERT/.test(code)) return lasting(`TLS failed (${code})`);
  const rejected = /^Bad response: (\d+)$/.exec(text);
  return rejected ? lasting(`the proxy responded with status ${rejected[1]}`) : temporary(text);
}
