import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { LanyardError } from '../../errors.ts';
import { originOf, parseAddress } from '../address.ts';
import type { Endpoint } from '../endpoint.ts';
import { proxyOf } from '../proxies.ts';
import { redact } from '../redaction.ts';
import { services } from '../services.ts';
import { type Call, effectDetails } from './response.ts';

/** An attempt that ended without a complete response. */
export interface NetworkError {
  /** Node's or OpenSSL's: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly code: string;
  readonly text: string;
  /** May bytes of the request have reached the service? */
  readonly sent: boolean;
}

interface Reason {
  readonly what: string;
  readonly hint?: string;
  /** A retry would fail in the same way. */
  readonly lasting?: true;
}

// In TLS 1.3 a server rejects a client certificate after the client's side of the handshake, when the request is already
// on its way; the server does not read it.
const rejectedHandshake =
  /^ERR_SSL_.*ALERT.*(CERTIFICATE|UNKNOWN_CA|HANDSHAKE|ACCESS_DENIED|PROTOCOL_VERSION|UNRECOGNIZED_NAME|DECRYPT_ERROR)/;

/** Does the response violate HTTP itself (framing, status line, header fields)? An incomplete one does not. */
export const isProtocolError = ({ code }: Pick<NetworkError, 'code'>): boolean =>
  code.startsWith('HPE_') && code !== truncatedCode;

/** The connection was closed within the head or a chunk. */
const truncatedCode = 'HPE_INVALID_EOF_STATE';

/** A response of status 101. */
const upgradeCode = 'HPE_UNEXPECTED_UPGRADE';

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
 * Calls back when the connection is open: from then on bytes of the request may have left. A TLS socket through a
 * proxy's tunnel is connected before it is secure; where Node does not report a pending handshake, the earlier moment
 * is the safe one.
 */
export function onConnected(
  socket: Socket & { readonly secureConnecting?: boolean },
  opened: () => void,
): void {
  if (socket.secureConnecting) socket.once('secureConnect', opened);
  else if (socket.connecting) socket.once('connect', opened);
  else opened();
}

/** Calls back with an error when the response switches to another protocol, which no request here asks for. */
export function onUpgrade(request: ClientRequest, reject: (error: Error) => void): void {
  request.once('upgrade', (_response, socket) => {
    socket.destroy();
    reject(Object.assign(new Error(), { code: upgradeCode }));
  });
}

/** Would a retry fail in the same way? A certificate or an unknown host, for example. */
export function isLasting(networkError: NetworkError, endpoint: Endpoint): boolean {
  return reasonOf(networkError, endpoint).lasting === true;
}

/** The reason for a note: "connection refused". */
export function describeNetworkError(networkError: NetworkError, endpoint: Endpoint): string {
  return reasonOf(networkError, endpoint).what;
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
  const { what, hint } = reasonOf(networkError, endpoint);
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
    retryable: !isLasting(networkError, endpoint),
    hint,
  });
}

/** Every server that was tried. */
const serversOf = ({ address, addresses }: Endpoint): string =>
  (addresses !== undefined && addresses.length > 1 ? addresses : [address])
    .map((each) => originOf(each) ?? each)
    .join(', ');

/** The signal ended a call; details say what may have taken effect. */
export function interrupted(call: Call, sent: boolean): LanyardError {
  return new LanyardError('interrupted', `${call.operation.name}: interrupted`, {
    service: call.operation.service,
    details: sent ? effectDetails(call.operation) : [],
  });
}

const unknownAuthority = {
  what: 'certificate signed by unknown authority',
  hint: 'Set ca-cert in the profile, or the CACERT variable of the service.',
  lasting: true,
} as const;

const notTls = {
  what: 'the server does not support TLS',
  hint: 'Check whether the address is http rather than https.',
  lasting: true,
} as const;

const unsupportedTlsVersion = {
  what: 'unsupported TLS version',
  hint: 'TLS 1.2 or 1.3 is required.',
  lasting: true,
} as const;

const invalidLength = { what: 'invalid Content-Length or Transfer-Encoding', lasting: true } as const;

const reasons: { readonly [code: string]: Reason } = {
  ECONNREFUSED: {
    what: 'connection refused',
    hint: 'Check that it is running and that the address is correct. Run `lanyard dev` to start the embedded services.',
  },
  ECONNRESET: { what: 'connection closed before the response was complete' },
  ENOENT: {
    what: 'no such unix socket',
    hint: 'Check that it is running and that the path is correct.',
    lasting: true,
  },
  EACCES: {
    what: 'permission denied',
    hint: 'The unix socket belongs to another user or group: check its mode.',
    lasting: true,
  },
  EPIPE: { what: 'connection closed before the response was complete' },
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: { what: 'incomplete response' },
  [truncatedCode]: { what: 'incomplete response' },
  ETIMEDOUT: { what: 'request timed out', hint: 'Set a longer timeout with --timeout.' },
  EHOSTUNREACH: { what: 'no route to host' },
  ENETUNREACH: { what: 'network is unreachable' },
  EAI_AGAIN: { what: 'temporary failure in name resolution' },
  ENOTFOUND: { what: 'no such host', hint: 'Check the address.', lasting: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: { what: 'certificate has expired', lasting: true },
  CERT_NOT_YET_VALID: { what: 'certificate is not yet valid', lasting: true },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'certificate is not valid for this host name',
    hint: 'If the name in the certificate is correct, set server-name in the profile.',
    lasting: true,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: unsupportedTlsVersion,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: unsupportedTlsVersion,
  EPROTO: { what: 'TLS handshake failed', lasting: true },
  [upgradeCode]: { what: 'unexpected status 101 (Switching Protocols)', lasting: true },
  HPE_HEADER_OVERFLOW: { what: 'the response headers are too large', lasting: true },
  HPE_INVALID_CHUNK_SIZE: { what: 'invalid chunk in the response body', lasting: true },
  HPE_INVALID_CONTENT_LENGTH: invalidLength,
  HPE_UNEXPECTED_CONTENT_LENGTH: invalidLength,
  HPE_INVALID_TRANSFER_ENCODING: invalidLength,
};

function reasonOf({ code, text }: NetworkError, endpoint: Endpoint): Reason {
  const known = reasons[code];
  const home = parseAddress(endpoint.address)?.url;
  if (known)
    return home && proxyOf(endpoint, home) && code === 'ECONNREFUSED'
      ? { ...known, hint: 'A proxy is set: check that it is running.' }
      : known;
  if (code.startsWith('HPE_')) return { what: 'invalid HTTP response', lasting: true };
  if (rejectedHandshake.test(code)) {
    return {
      what: 'TLS handshake rejected by the server',
      hint: 'It may require a client certificate: set client-cert and client-key in the profile.',
      lasting: true,
    };
  }
  if (/SSL|TLS|CERT/.test(code)) return { what: `TLS failed (${code})`, lasting: true };
  const rejected = /^Bad response: (\d+)$/.exec(text);
  if (rejected) return { what: `the proxy responded with status ${rejected[1]}`, lasting: true };
  return { what: text };
}
