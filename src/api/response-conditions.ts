import type { ServiceName } from '../wire/services.ts';

/**
 * Conditions in the text of a response that is not an error yet, as named predicates. Apart from `conditions.ts` (errors)
 * and `token-conditions.ts`, no decision depends on the text of a service.
 */

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
 * A server that lost the leader while it carried out the request (Consul, Nomad 500; the texts are those of raft and of
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
 * A key-value mount that was created a moment ago (Vault, OpenBao 400; the second text is that of a standby). Nothing
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
  (status === 503 && service === 'registry' && isNotProcessed(service, text, true));

/** Access control is switched off (Consul 401, Nomad 400). */
export const saysAccessControlOff = (message: string): boolean => message.includes('ACL support disabled');

/**
 * The version given with a write is not the stored one (Vault, OpenBao 400; of a policy that exists, and of metadata,
 * OpenBao 400 with other words).
 */
export const saysCheckAndSetMismatch = (message: string): boolean =>
  /check-and-set parameter (did not|does not) match|check-and-set parameter set to -1 on existing entry|^metadata_cas must be 0 when creating/.test(
    message,
  );

/** The mount accepts no write without a version (Vault, OpenBao 400). */
export const saysCheckAndSetRequired = (message: string): boolean =>
  message.includes('check-and-set parameter required');

/** The namespace that a message says does not exist: that of a variable (Nomad 500), else undefined. */
export const missingNamespaceIn = (message: string): string | undefined =>
  /\bin nonexistent namespace "([^"]*)"/.exec(message)?.[1];

/** The owner of a box that a message says does not exist (box registry 422), else undefined. */
export const missingOwnerIn = (message: string): string | undefined =>
  /^User or organization ([\w.-]+) does not exist$/.exec(message)?.[1];

/** The message of a 404 that names nothing. */
export const saysOnlyNotFound = (service: ServiceName, message: string): boolean =>
  service === 'box' && message === 'Resource not found!';

/** The service cannot reach its database (Boundary 500). */
export const isDatabaseDown = (message: string): boolean =>
  /\bdbw?\.\w+: |failed to connect to `/.test(message);

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
