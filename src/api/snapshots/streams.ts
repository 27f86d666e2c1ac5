import type { IncomingMessage } from 'node:http';
import type { LanyardError } from '../../errors.ts';
import type { StopStream } from '../dry-run.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { failure } from '../failures.ts';
import { redirectTarget } from '../http/redirect.ts';
import { type Call, rawResponse, unexpectedResponse } from '../http/response.ts';
import { openStreams, type StreamedRequest, startOfResponse } from '../images/stream.ts';
import { writeBody } from '../images/upload.ts';
import type { Operation } from '../operation.ts';
import { callOf } from '../request.ts';

/** A snapshot that is sent. */
export interface SnapshotBody {
  /** Bytes. */
  readonly length: number;
  /** The bytes from the start, again for each server that they are sent to. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export interface SnapshotOptions extends TransportOptions {
  /** Throws instead of sending. */
  readonly stop?: StopStream;
}

/** A request and the head of its response. */
export interface Exchanged {
  readonly call: Call;
  readonly streamed: StreamedRequest;
  readonly head: IncomingMessage;
}

/** A service may need longer to read its state, or to apply a snapshot: this many timeouts. */
export const timeouts = 10;

/**
 * Tries the servers of the settings in turn, with a note for each that fails.
 *
 * @param isNext whether another server may succeed after the error.
 * @throws the error of the last server, or another one that `isNext` rejects.
 */
export async function firstServer<Result>(
  endpoint: Endpoint,
  { note }: Pick<TransportOptions, 'note'>,
  isNext: (error: unknown) => error is LanyardError,
  attempt: (server: Endpoint) => Promise<Result>,
): Promise<Result> {
  const servers = [...new Set([endpoint.address, ...(endpoint.addresses ?? [])])];
  const last = servers.pop() ?? endpoint.address;
  for (const address of servers) {
    try {
      return await attempt({ ...endpoint, address });
    } catch (error) {
      if (!isNext(error)) throw error;
      note(`${error.message}; trying the next server`);
    }
  }
  return attempt({ ...endpoint, address: last });
}

/** Makes the functions that stream snapshots to and from one server, with the senders of images (ADR 11). */
export function snapshotStreams(endpoint: Endpoint, options: SnapshotOptions) {
  const open = openStreams(endpoint, options);

  async function headOf(
    name: string,
    streamed: StreamedRequest,
    body?: SnapshotBody,
  ): Promise<IncomingMessage> {
    let isSent = false;
    try {
      if (body) isSent = await writeBody(streamed, body.chunks());
      else streamed.request.end();
      return await streamed.head;
    } catch (error) {
      streamed.request.destroy();
      throw streamed.failure(name, error, isSent);
    }
  }

  /** @throws LanyardError: the response is an error, or a page of something else. */
  async function requireSuccess(call: Call, head: IncomingMessage): Promise<void> {
    const response = await startOfResponse(head).catch(() => rawResponse(head));
    if (response.status >= 400) throw failure(call, response);
    throw unexpectedResponse(call, response, 'instead of a snapshot');
  }

  return {
    /** Sends to a server, and follows redirects within the settings. */
    async follow<Input extends object>(
      server: Endpoint,
      operation: Operation<Input, void>,
      body: SnapshotBody | undefined,
      input: Input,
    ): Promise<Exchanged> {
      const { call, request, headers } = await callOf(server, operation, input);
      options.sent?.(call.secrets);
      let { url } = request;
      for (let hops = 0; ; hops += 1) {
        const method = body ? 'PUT' : 'GET';
        const length = body && { 'Content-Length': String(body.length), Expect: '100-continue' };
        const streamed = await open(method, url, { ...request.headers, ...headers, ...length }, isSnapshot);
        streamed.request.setTimeout(options.timeout * timeouts);
        options.detail(`> ${method} ${url.origin}${url.pathname}`);
        const head = await headOf(operation.name, streamed, body);
        options.detail(`< ${head.statusCode}`);
        const next = redirectTarget(call, { method, url }, rawResponse(head), server, hops);
        if (next === undefined) return { call, streamed, head };
        streamed.request.destroy();
        url = next;
      }
    },

    /** Passes the body of a response to `write`. @throws LanyardError: the response is not a snapshot. */
    async receive(
      name: string,
      { call, streamed, head }: Exchanged,
      write: (chunk: Uint8Array) => Promise<void>,
    ): Promise<void> {
      try {
        if (!isSnapshot(head)) await requireSuccess(call, head);
        for await (const chunk of streamed.body()) await write(chunk);
      } catch (error) {
        throw streamed.failure(name, error);
      } finally {
        streamed.request.destroy();
      }
    },

    /** @throws LanyardError: the service did not confirm that it restored a snapshot. */
    async requireRestored({ call, streamed, head }: Exchanged): Promise<void> {
      try {
        if (!isRestored(head)) await requireSuccess(call, head);
      } finally {
        streamed.request.destroy();
      }
    },
  };
}

/** A snapshot has no type that all products state; errors and pages have one. */
const isSnapshot = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && !/^(text\/html|application\/json)\b/i.test(headers['content-type'] ?? '');

/** Without a body: a service with another route at the path responds with an object. */
const isRestored = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 204 || (statusCode === 200 && ['0', undefined].includes(headers['content-length']));
