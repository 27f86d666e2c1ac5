import { setTimeout as delay } from 'node:timers/promises';
import {
  describeNetworkError,
  interrupted,
  type NetworkError,
  networkFailure,
  retryReasonOf,
} from './network-error.ts';
import { redirectTarget } from './redirect-target.ts';
import type { Request } from './request.ts';
import type { Call, RawResponse } from './response.ts';
import { isSealed } from './response-conditions.ts';
import { defaultAttempts, type RetryReason, retryAfter, retryDelayMs } from './retry.ts';
import { isForAnother, type Servers } from './servers.ts';
import { services } from './services.ts';
import type { Endpoint, TransportOptions } from './transport.ts';

/** The way to one server. */
interface ServerConnection {
  readonly endpoint: Endpoint;
  /** Sends one request, once. */
  readonly send: (call: Call, request: Request) => Promise<Outcome>;
}

/** The servers of an endpoint, and how they are reached. */
export interface Cluster {
  readonly options: TransportOptions;
  readonly servers: Servers;
  /** The way to one of the servers. */
  connect(server: Endpoint): Promise<ServerConnection>;
}

/** A response, and the address of the server that sent it. */
export interface ServerResponse {
  readonly answer: RawResponse;
  readonly address: string;
}

/** Attempts until there is a response to give, or nothing more to try. All servers are asked in one attempt. */
export async function sendWithRetry(
  cluster: Cluster,
  call: Call,
  requestAt: (server: Endpoint) => Request,
): Promise<ServerResponse> {
  const { options, servers } = cluster;
  const { operation } = call;
  let next = servers.current();
  const maxAttempts = (next.maxRetries ?? defaultAttempts - 1) + 1;
  const tried = new Set<string>();
  for (let attempt = 1; ; ) {
    tried.add(next.address);
    // The server at the end of all redirects.
    const { outcome, server } = await sendFollowingRedirects(cluster, call, next, requestAt(next));
    tried.add(server.address);
    const retryReason = retryReasonIn(outcome, call, server);
    const cause =
      'networkError' in outcome
        ? describeNetworkError(outcome.networkError, server)
        : `status ${outcome.status}`;
    const { title } = services[server.service];
    if (retryReason && isForAnother(outcome, operation.service, operation.retry)) {
      const other = servers.next(server.address, tried);
      if (other) {
        options.note(`${title}: ${server.address}: ${cause}; trying ${other.address}`);
        next = other;
        continue;
      }
    }
    const delayMs =
      retryReason && retryDelayMs(retryReason, operation.retry, attempt, options.random(), maxAttempts);
    if (delayMs === undefined) {
      if ('networkError' in outcome) throw networkFailure(call, outcome.networkError, server);
      return { answer: outcome, address: server.address };
    }
    options.note(
      `${title}: ${cause}; retrying in ${(delayMs / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${maxAttempts})`,
    );
    await delay(delayMs, undefined, { signal: options.signal }).catch(() => {
      throw interrupted(call, false);
    });
    attempt += 1;
    tried.clear();
    next = servers.next(server.address, tried) ?? server;
  }
}

export type Outcome = RawResponse | { readonly networkError: NetworkError };

function retryReasonIn(outcome: Outcome, { operation }: Call, endpoint: Endpoint): RetryReason | undefined {
  if ('networkError' in outcome) return retryReasonOf(outcome.networkError, endpoint);
  if (operation.accepts.includes(outcome.status)) return undefined;
  return {
    kind: 'response',
    service: endpoint.service,
    status: outcome.status,
    sealed: isSealed(endpoint.service, outcome),
    after: retryAfter(outcome.headers, Date.now()),
  };
}

/** One attempt, redirects included. A redirect to another server makes that the one that is asked from now on. */
async function sendFollowingRedirects(
  { servers, connect: reach }: Cluster,
  call: Call,
  server: Endpoint,
  request: Request,
): Promise<{ readonly outcome: Outcome; readonly server: Endpoint }> {
  let current = request;
  let sender = await reach(server);
  for (let hops = 0; ; hops++) {
    const outcome = await sender.send(call, current);
    const result = { outcome, server: sender.endpoint };
    if ('networkError' in outcome) return result;
    const url = redirectTarget(call, current, outcome, sender.endpoint, hops);
    if (url === undefined) return result;
    const isElsewhere = url.origin !== current.url.origin;
    if (isElsewhere) sender = await reach(servers.choose(url.origin) ?? server);
    current = { ...current, url };
  }
}
