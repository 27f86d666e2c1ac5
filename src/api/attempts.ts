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

/** A response, and the address of the server that sent it. */
export interface Responded {
  readonly answer: RawAnswer;
  readonly address: string;
}

/** Attempts until there is a response to give, or nothing more to try. All servers are asked in one attempt. */
export async function persist(
  cluster: Cluster,
  call: Call,
  requestAt: (server: Endpoint) => Request,
): Promise<Responded> {
  const { options, servers } = cluster;
  const { operation } = call;
  let next = servers.current();
  const most = (next.maxRetries ?? attempts - 1) + 1;
  const asked = new Set<string>();
  for (let attempt = 1; ; ) {
    asked.add(next.address);
    // The server at the end of all redirects.
    const { outcome, server } = await follow(cluster, call, next, requestAt(next));
    asked.add(server.address);
    const trouble = troubleIn(outcome, call, server);
    const why = 'loss' in outcome ? inWords(outcome.loss, server) : `status ${outcome.status}`;
    const { title } = services[server.service];
    if (trouble && isForAnother(outcome, operation.service, operation.retry)) {
      const other = servers.next(server.address, asked);
      if (other) {
        options.note(`${title}: ${server.address}: ${why}; trying ${other.address}`);
        next = other;
        continue;
      }
    }
    const wait = trouble && pause(trouble, operation.retry, attempt, options.random(), most);
    if (wait === undefined) {
      if ('loss' in outcome) throw lossError(call, outcome.loss, server);
      return { answer: outcome, address: server.address };
    }
    options.note(
      `${title}: ${why}; retrying in ${(wait / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${most})`,
    );
    await delay(wait, undefined, { signal: options.signal }).catch(() => {
      throw interrupted(call, false);
    });
    attempt += 1;
    asked.clear();
    next = servers.next(server.address, asked) ?? server;
  }
}

export type Outcome = RawAnswer | { readonly loss: Loss };

function troubleIn(outcome: Outcome, { operation }: Call, endpoint: Endpoint): Trouble | undefined {
  if ('loss' in outcome) return troubleOf(outcome.loss, endpoint);
  if (operation.accepts.includes(outcome.status)) return undefined;
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
): Promise<{ readonly outcome: Outcome; readonly server: Endpoint }> {
  let current = request;
  let sender = await reach(server);
  for (let hops = 0; ; hops++) {
    const outcome = await sender.send(call, current);
    const done = { outcome, server: sender.endpoint };
    if ('loss' in outcome) return done;
    const url = redirected(call, current, outcome, sender.endpoint, hops);
    if (url === undefined) return done;
    const isElsewhere = url.origin !== current.url.origin;
    if (isElsewhere) sender = await reach(servers.choose(url.origin) ?? server);
    current = { ...current, url };
  }
}
