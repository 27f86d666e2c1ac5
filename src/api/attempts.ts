import { setTimeout as delay } from 'node:timers/promises';
import type { Call, RawAnswer } from './answer.ts';
import { interrupted, inWords, type Loss, lossError, troubleOf } from './loss.ts';
import { redirected } from './redirect.ts';
import type { Request } from './request.ts';
import { isSealed } from './response-conditions.ts';
import { attempts, pause, retryAfter, type Trouble } from './retry.ts';
import { isForAnother, type Servers } from './servers.ts';
import { services } from './services.ts';
import type { Endpoint, TransportOptions } from './transport.ts';

/** The way to one server. */
interface Sender {
  readonly endpoint: Endpoint;
  /** Sends one request, once. */
  readonly send: (call: Call, request: Request) => Promise<Outcome>;
}

/** The servers of an endpoint, and how they are reached. */
export interface Cluster {
  readonly options: TransportOptions;
  readonly servers: Servers;
  /** The way to one of the servers. */
  reach(server: Endpoint): Promise<Sender>;
}

/** Attempts until there is an answer to give, or nothing more to try. All servers are asked in one attempt. */
export async function persist(
  cluster: Cluster,
  call: Call,
  requestAt: (server: Endpoint) => Request,
): Promise<RawAnswer> {
  const { options, servers } = cluster;
  const { operation } = call;
  const most = (servers.current().maxRetries ?? attempts - 1) + 1;
  let asked = 1;
  for (let attempt = 1; ; ) {
    const server = servers.current();
    const outcome = await follow(cluster, call, server, requestAt(server));
    const trouble = troubleIn(outcome, call, server);
    const why = 'loss' in outcome ? inWords(outcome.loss, server) : `status ${outcome.status}`;
    const { title } = services[server.service];
    if (asked < servers.count && trouble && isForAnother(outcome, operation.service, operation.retry)) {
      asked += 1;
      options.note(`${title}: ${server.address}: ${why}; trying ${servers.next().address}`);
      continue;
    }
    const wait = trouble && pause(trouble, operation.retry, attempt, options.random(), most);
    if (wait === undefined) {
      if ('loss' in outcome) throw lossError(call, outcome.loss, server);
      return outcome;
    }
    options.note(
      `${title}: ${why}; trying again in ${(wait / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${most})`,
    );
    await delay(wait, undefined, { signal: options.signal }).catch(() => {
      throw interrupted(call, false);
    });
    attempt += 1;
    asked = 1;
    servers.next();
  }
}

export type Outcome = RawAnswer | { readonly loss: Loss };

function troubleIn(outcome: Outcome, { operation }: Call, endpoint: Endpoint): Trouble | undefined {
  if ('loss' in outcome) return troubleOf(outcome.loss, endpoint);
  if (outcome.status < 400 || operation.accepts.includes(outcome.status)) return undefined;
  return {
    kind: 'answer',
    service: endpoint.service,
    status: outcome.status,
    sealed: isSealed(endpoint.service, outcome),
    after: retryAfter(outcome.headers, Date.now()),
  };
}

/** One attempt, redirects included. A redirect to another server makes that the one that is asked from now on. */
async function follow(
  { servers, reach }: Cluster,
  call: Call,
  server: Endpoint,
  request: Request,
): Promise<Outcome> {
  let current = request;
  let sender = await reach(server);
  for (let hops = 0; ; hops++) {
    const outcome = await sender.send(call, current);
    if ('loss' in outcome) return outcome;
    const url = redirected(call, current, outcome, sender.endpoint, hops);
    if (url === undefined) return outcome;
    const isElsewhere = url.origin !== current.url.origin;
    if (isElsewhere) sender = await reach(servers.choose(url.origin) ?? server);
    current = { ...current, url };
  }
}
