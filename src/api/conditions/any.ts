import { LanyardError } from '../../errors.ts';
import type { ServiceName } from '../../wire/services.ts';

/**
 * What the products say in their own words, as named predicates: the one place where a decision depends on the text of
 * a service. A status alone does not tell these apart, and products disagree on it: a conflict may be 400 or 500,
 * something missing 400, 403 or 500. Each predicate names the products whose text it knows. This file has the predicates for
 * several services, the other files of this folder for one.
 */

/** The service's own messages of an error in one text; empty for every other error. */
export const textOf = (error: unknown): string =>
  error instanceof LanyardError ? error.details.join('\n') : '';

/** Whether one of the service's messages matches. */
export const says = (error: unknown, pattern: RegExp): error is LanyardError =>
  error instanceof LanyardError && error.details.some((line) => pattern.test(line));

/** The body that the service sent with an error; undefined: none, or it is not known. */
export const bodyOf = (error: LanyardError): unknown => (error as { readonly body?: unknown }).body;

/** Whether an error has one of these statuses. */
export const hasStatus = (error: unknown, ...statuses: readonly number[]): error is LanyardError =>
  error instanceof LanyardError && statuses.includes(error.status ?? 0);

/** Makes a predicate: one of the service's messages matches, and the error has one of the statuses, if any are given. */
export const saying =
  (pattern: RegExp, ...statuses: readonly number[]) =>
  (error: unknown): error is LanyardError =>
    says(error, pattern) && (statuses.length === 0 || hasStatus(error, ...statuses));

/** Plain http to a port that speaks TLS (400, plain text). */
export const isPlainHttpToTls = (messages: readonly string[]): boolean =>
  messages.some((line) => /^Client sent an HTTP request to an HTTPS server/i.test(line));

/** Access control is switched off, so no token is needed or known (Consul 401, Nomad 400). */
export const isAccessControlOff = (error: unknown): boolean =>
  hasStatus(error, 400, 401) && saysAccessControlOff(textOf(error));

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** The secrets service is sealed, which lasts until an operator unseals it (Vault, OpenBao 503). */
export const isSealed = (service: ServiceName, { status, text }: Reply): boolean =>
  service === 'secrets' && status === 503 && /\bsealed\b/i.test(text);

/**
 * A server of a cluster that serves no requests now, and did nothing: sealed (Vault, OpenBao 503 `Vault is sealed`), a
 * standby that knows no active server (OpenBao 503 `no active Vault instance found`, 500 `local node not active but
 * active cluster node not found`), one without a leader (Consul, Nomad 500 `No cluster leader`), or without a connection
 * to it (Consul 500 `Raft leader not found in server lookup mapping` and `rpc error getting client: failed to get conn:
 * …`, Nomad 500 `rpc error: failed to get conn: …`), a leader that was just elected (Consul, Nomad 500 `Not ready to
 * serve consistent reads`) or is one no more (`node is not the leader`).
 */
export function isInactiveServer(service: ServiceName, reply: Reply): boolean {
  const { status, text } = reply;
  if (service === 'secrets')
    return (
      isSealed(service, reply) ||
      (status === 503 && /no active Vault instance found|node is not active/i.test(text)) ||
      (status === 500 && text.includes('local node not active but active cluster node not found'))
    );
  return isOfRaft(service) && status === 500 && withoutLeader.test(text);
}

const isOfRaft = (service: ServiceName): boolean => service === 'registry' || service === 'scheduler';

const withoutLeader =
  /^(?:rpc error[^:]*: )*(?:(?:No cluster leader|Raft leader not found in server lookup mapping|Not ready to serve consistent reads|node is not the leader|leadership transfer in progress|lead thread didn't get connection)\s*$|failed to (?:get conn|start stream): )/i;

/**
 * A server that has started again and does not have the tokens of the cluster yet, or a cluster without access control
 * (Consul 403 of the endpoints of the server itself). Nothing was done; another server may have them.
 */
export const isWithoutTokens = (service: ServiceName, { status, text }: Reply): boolean =>
  service === 'registry' && status === 403 && /^ACL system must be bootstrapped/.test(text);

/**
 * A server that lost the leader while it carried out the request (Consul, Nomad 500; the texts are from raft and
 * the connection between servers): a write may have been applied.
 */
export const isLostInCluster = (service: ServiceName, { status, text }: Reply): boolean =>
  isOfRaft(service) &&
  status === 500 &&
  /leadership lost while committing log|raft is already shutdown|timed out enqueuing operation|^rpc error[^:]*: .*(?:\bEOF|stream closed|session shutdown|connection reset by peer|broken pipe|i\/o (?:timeout|deadline reached)|use of closed network connection)\s*$/i.test(
    text,
  );

/**
 * A standby that could not complete a write at the active server (OpenBao 307, and 503 `no active Vault instance found`
 * without an active server): that server may have applied it before the connection ended. The same responses come from
 * a standby that does not forward.
 */
export const mayHaveForwarded = (service: ServiceName, { status, text }: Reply): boolean =>
  service === 'secrets' &&
  (status === 307 || (status === 503 && /no active Vault instance found/i.test(text)));

/**
 * A key-value mount that was created a moment ago (Vault, OpenBao 400; the second text is from a standby). Nothing
 * was done; it is ready within seconds.
 */
export const isUpgradingMount = (service: ServiceName, { status, text }: Reply): boolean =>
  service === 'secrets' &&
  status === 400 &&
  /(Upgrading|Waiting for the primary to upgrade) from non-versioned to versioned data/.test(text);

/**
 * The service did nothing, because there were too many requests (429; Consul 503 for writes). A standby of the secrets
 * service has the status 429 too, without a body.
 */
export const isRateLimited = (service: ServiceName, { status, text }: Reply): boolean =>
  (status === 429 && (service !== 'secrets' || text !== '')) ||
  (status === 503 && isNotProcessed(service, text, true));

/** Access control is switched off (Consul 401, Nomad 400). */
export const saysAccessControlOff = (message: string): boolean => message.includes('ACL support disabled');

/**
 * Does the service say in its 503 that it did not process the request? Vault and OpenBao (JSON): sealed, in
 * maintenance, no active node, namespace locked. Box registry (JSON): in maintenance. Consul (plain text): the rate
 * limit for operations of the leader. Any other 503 may come from a gateway that lost the response to a request that
 * was applied.
 * @param isPlain the body is text and not JSON.
 */
export const isNotProcessed = (service: ServiceName, message: string, isPlain: boolean): boolean => {
  if (service === 'registry') return /^rate limit exceeded .*try again later/i.test(message);
  if (isPlain) return false;
  if (service === 'box') return /\bmaintenance\b/i.test(message);
  return (
    service === 'secrets' &&
    /\b(sealed|maintenance|node is not active|no active \w+ instance|has been locked)\b/i.test(message)
  );
};

/** The message of a 404 that names nothing. */
export const saysOnlyNotFound = (service: ServiceName, message: string): boolean =>
  service === 'box' && message === 'Resource not found!';
