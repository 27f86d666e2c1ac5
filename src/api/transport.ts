import type { ClientRequest, IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import {
  type Call,
  firstLine,
  largestAnswer,
  type RawAnswer,
  rawAnswer,
  readBody,
  unexpected,
} from './answer.ts';
import { type Connection, connect } from './connection.ts';
import { failure, isSealed } from './failures.ts';
import {
  interrupted,
  inWords,
  isProtocolError,
  type Loss,
  lossError,
  lossOf,
  onceOpen,
  troubleOf,
} from './loss.ts';
import type { Body, Operation } from './operation.ts';
import { redact, redactUrl, secretsIn, tokenSecret } from './redaction.ts';
import { redirected } from './redirect.ts';
import { type Request, requestOf, tokenFor, tokenHeaders } from './request.ts';
import { attempts, isRepeatable, pause, retryAfter, type Trouble } from './retry.ts';
import { services } from './services.ts';

/** Where and how a service is reached: settings resolved, files not yet read. */
export interface Endpoint {
  readonly service: ServiceName;
  /** Scheme, host, port, and a path if the service lives under one; no trailing slash. */
  readonly address: string;
  /** Reads the token when it is first needed; undefined: there is none. */
  readonly token: () => Promise<string | undefined>;
  /** Where the token comes from: a variable of the environment, or what a person is told to put into one. */
  readonly tokenSource?: { readonly variable: string } | { readonly words: string };
  /** Of the headers with a meaning of the service's own; each header is sent once for every prefix. */
  readonly headerPrefixes: readonly string[];
  readonly namespace?: string;
  readonly region?: string;
  readonly datacenter?: string;
  readonly caCert?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly serverName?: string;
  readonly skipVerify?: boolean;
  readonly proxy?: string;
  readonly allowPlainHttp?: boolean;
  /** How often a request is sent again at most. */
  readonly maxRetries?: number;
}

export interface Answer<Output> {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Output;
  /** As it came, where the operation is `exact`. */
  readonly bytes?: Uint8Array;
}

/** What a request would look like, for `--dry-run` and `--curl`; secrets are redacted or by reference. */
export interface Rehearsal {
  readonly service: ServiceName;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** How long a body is that is no text, and so is not shown. */
  readonly bytes?: number;
}

export interface TransportOptions {
  /** Milliseconds for one attempt, connection to last byte. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Full jitter: a number in [0, 1). */
  readonly random: () => number;
  /** Said on stderr: retries. */
  readonly note: (message: string) => void;
  /** Said on stderr: TLS verification off. */
  readonly warn: (message: string) => void;
  /** `--verbose`: one line a request and an answer, redacted. */
  readonly detail: (message: string) => void;
}

/** Sends operations to one service. */
export type Send = <Input extends object, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Promise<Answer<Output>>;

/**
 * Makes the function that sends operations to one service.
 *
 * Each attempt has its own timeout; `pause` says when there is another. A redirect is followed for GET and HEAD
 * within the origin only. Nothing that got throws leaves here: its errors hold the headers.
 *
 * Connections are kept for the next call of the process, and do not keep the process: there is nothing to close.
 * Writes have a connection of their own, because a kept one may be closed from the other side at the moment of
 * writing, and that cannot be told from a lost answer.
 *
 * @throws LanyardError, of every kind but `usage` after something was sent; see `requestOf`, `tokenFor`, `readTls`
 * for what is refused before, `failure` and `lossError` for what comes after.
 */
export function transport(endpoint: Endpoint, options: TransportOptions): Send {
  let connection: Promise<Way> | undefined;
  return async (operation, input) => {
    const request = requestOf(endpoint, operation, input);
    const token = await tokenFor(endpoint, operation);
    connection ??= open(endpoint, request.url, options);
    const sender: Sender = { endpoint, options, connection: await connection };
    if (endpoint.skipVerify && request.url.protocol === 'https:') {
      options.warn(
        `the certificate of the ${services[endpoint.service].title} is not verified: anyone may answer in its place`,
      );
    }
    const call: Call = {
      operation,
      mount: operation.engine && (input as { readonly mount?: string }).mount,
      namespace: operation.namespace === 'none' ? undefined : endpoint.namespace,
      tokenSent: token !== undefined,
      secrets: [...(token === undefined ? [] : [tokenSecret(token)]), ...secretsIn(request.body, operation)],
    };
    const headers = {
      ...request.headers,
      'User-Agent': options.userAgent,
      ...(token === undefined ? {} : tokenHeaders(endpoint, token)),
    };
    const answer = await persist(sender, call, { ...request, headers });
    return decoded(operation, call, answer);
  };
}

interface Sender {
  readonly endpoint: Endpoint;
  readonly options: TransportOptions;
  readonly connection: Way;
}

/** Attempts until there is an answer to give, or nothing more to try. */
async function persist(sender: Sender, call: Call, request: Request): Promise<RawAnswer> {
  const { endpoint, options } = sender;
  const { operation } = call;
  const most = endpoint.maxRetries === undefined ? attempts : endpoint.maxRetries + 1;
  for (let attempt = 1; ; attempt++) {
    const outcome = await follow(sender, call, request);
    const trouble = troubleIn(outcome, call, endpoint);
    const wait = trouble && pause(trouble, operation.retry, attempt, options.random(), most);
    if (wait === undefined) {
      if ('loss' in outcome) throw lossError(call, outcome.loss, endpoint);
      return outcome;
    }
    const why = 'loss' in outcome ? inWords(outcome.loss, endpoint) : `status ${outcome.status}`;
    options.note(
      `${services[endpoint.service].title}: ${why}; trying again in ${(wait / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${most})`,
    );
    await delay(wait, undefined, { signal: options.signal }).catch(() => {
      throw interrupted(call, false);
    });
  }
}

type Outcome = RawAnswer | { readonly loss: Loss };

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

/** One attempt, redirects included. */
async function follow(sender: Sender, call: Call, request: Request): Promise<Outcome> {
  let current = request;
  for (let hops = 0; ; hops++) {
    const outcome = await exchange(sender, call, current);
    if ('loss' in outcome) return outcome;
    const url = redirected(call, current, outcome, hops);
    if (url === undefined) return outcome;
    current = { ...current, url };
  }
}

/** Sends one request and reads its answer to the end. */
async function exchange({ options, connection }: Sender, call: Call, request: Request): Promise<Outcome> {
  const { got } = connection;
  const { method, url, body } = request;
  const start = performance.now();
  const took = () => `${Math.round(performance.now() - start)} ms`;
  options.detail(`> ${method} ${redactUrl(url)}`);
  // The body is written, not given as an option: got would load all of undici to see whether it is a form.
  const stream = got.stream(url, {
    method,
    headers: {
      ...request.headers,
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    },
    timeout: { request: options.timeout },
    signal: options.signal,
    agent: isRepeatable(call.operation.retry) ? connection.kept : connection.single,
    https: { ...connection.tls },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
  });
  // Errors come out of the reading below; one that comes after it has nothing left to say.
  stream.on('error', () => {});
  let open = false;
  stream.once('request', (sent: ClientRequest) => {
    sent.once('socket', (socket) => onceOpen(socket, () => (open = true)));
  });
  let head: IncomingMessage | undefined;
  stream.once('response', (response: IncomingMessage) => {
    head = response;
  });
  stream.end(body);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestAnswer) throw unexpected(call, rawAnswer(head, ''), 'an answer of more than 64 MiB');
      chunks.push(chunk);
    }
    options.detail(`< ${head?.statusCode} in ${took()}, ${size} bytes`);
    return rawAnswer(head, Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    if (options.signal.aborted) throw interrupted(call, open);
    const loss = lossOf(error, open);
    // An error status is enough, even if the body is incomplete. Where the body is not valid HTTP, a write cannot rely
    // on the status either.
    if ((head?.statusCode ?? 0) >= 400 && (isRepeatable(call.operation.retry) || !isProtocolError(loss)))
      return rawAnswer(head, '');
    options.detail(`< ${loss.code} after ${took()}`);
    return { loss };
  } finally {
    stream.destroy();
  }
}

function decoded<Input, Output>(
  operation: Operation<Input, Output>,
  call: Call,
  answer: RawAnswer,
): Answer<Output> {
  const { status, headers } = answer;
  if (!accepts(operation, status)) {
    throw status >= 400
      ? failure(call, answer)
      : unexpected(call, answer, 'which this operation does not have');
  }
  try {
    const body = operation.decode(readBody(answer, operation.exact), status);
    return { status, headers, body, ...(operation.exact && answer.bytes ? { bytes: answer.bytes } : {}) };
  } catch (error) {
    throw unexpected(call, answer, firstLine(redact((error as Error).message, call.secrets)));
  }
}

// What is documented as 204 may be 200 with a warning, and the reverse.
function accepts<Input, Output>({ accepts, retry }: Operation<Input, Output>, status: number): boolean {
  const done = status === 200 || status === 204;
  return (
    accepts.includes(status) || (done && retry !== 'read' && (accepts.includes(200) || accepts.includes(204)))
  );
}

/** A connection, and got, which is looked up once for all requests on it. */
interface Way extends Connection {
  readonly got: typeof import('got')['default'];
}

async function open(endpoint: Endpoint, url: URL, options: TransportOptions): Promise<Way> {
  const [connection, { default: got }] = await Promise.all([connect(endpoint, url, options), import('got')]);
  return { ...connection, got };
}
