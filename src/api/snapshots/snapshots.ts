import type { IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { isKind, LanyardError } from '../../errors.ts';
import { readLeader } from '../active-reads.ts';
import type { StopStream } from '../dry-run.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { failure } from '../failures.ts';
import { transport } from '../http/client.ts';
import { addServer, isServer, redirectTarget } from '../http/redirect.ts';
import { type Call, rawResponse, unexpectedResponse } from '../http/response.ts';
import { openStreams, type StreamedRequest, startOfResponse } from '../images/stream.ts';
import { writeBody } from '../images/upload.ts';
import type { Operation } from '../operation.ts';
import { callOf } from '../request.ts';
import { readHealth, snapshotOperations } from './operations.ts';

/** A snapshot that is sent. */
export interface SnapshotBody {
  /** Bytes. */
  readonly length: number;
  /** The bytes from the start, again for each server that they are sent to. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** Snapshots of the complete state of a service, which may have any length. */
export interface Snapshots {
  /**
   * Receives a snapshot; `write` may use a chunk until it has resolved.
   *
   * @throws LanyardError as every read; what `write` throws.
   */
  save(write: (chunk: Uint8Array) => Promise<void>): Promise<void>;
  /**
   * Sends a snapshot once, to the active server: a standby that takes one (OpenBao 2.6) fails and seals itself. A server that
   * redirects has not used it.
   *
   * The service confirms a snapshot before it applies it. A server that fails seals itself, and one that applies it
   * responds when it is done: its state is read afterwards.
   *
   * @param forced without the check of the keys.
   * @returns whether the server is sealed now.
   * @throws LanyardError `unknown`: all was sent, and the response or the state afterwards was lost.
   */
  restore(snapshot: SnapshotBody, forced?: boolean): Promise<{ readonly sealed: boolean }>;
}

/** Milliseconds until a server has begun to apply a snapshot that it has confirmed. */
const startMs = 500;
/** A service may need longer to read its state, or to apply a snapshot: this many timeouts. */
const timeouts = 10;

interface SnapshotOptions extends TransportOptions {
  /** Throws instead of sending. */
  readonly stop?: StopStream;
}

/** Makes the functions that move snapshots, with the senders of images (ADR 11). */
export function snapshots(service: 'secrets', endpoint: Endpoint, options: SnapshotOptions): Snapshots {
  const open = openStreams(endpoint, options);
  const operations = snapshotOperations[service];

  /** Sends to the active server, if the settings have its address. A restore is sent to no other. */
  async function exchange(
    operation: Operation<object, void>,
    body?: SnapshotBody,
  ): Promise<{ readonly call: Call; readonly streamed: StreamedRequest; readonly head: IncomingMessage }> {
    options.stop?.(endpoint, operation, body?.length);
    const { server, active } = await findActive();
    if (active === undefined) return follow(server, operation, body);
    if (isServer(active, endpoint)) return follow({ ...endpoint, address: active.origin }, operation, body);
    if (body)
      throw new LanyardError(
        'unavailable',
        `cannot ${operation.name}: the server is a standby, and the active server ${active.origin} is not in the settings`,
        {
          service,
          hint: `If that is a server of the same cluster, ${addServer(active, endpoint)}.`,
        },
      );
    options.warn('the snapshot is of a standby: it may lack the latest changes');
    return follow(server, operation);
  }

  /**
   * The first server of the settings that can be reached, and the active one if that is another.
   *
   * @throws LanyardError unreachable: no server; unavailable: sealed
   */
  async function findActive(): Promise<{ readonly server: Endpoint; readonly active?: URL }> {
    const addresses = [...new Set([endpoint.address, ...(endpoint.addresses ?? [])])];
    for (const [index, address] of addresses.entries()) {
      const server = { ...endpoint, address };
      try {
        const send = transport({ ...server, addresses: [address] }, options);
        const { body } = await send(readLeader, {});
        const active = URL.parse(body.leader_address ?? '');
        const isStandby = body.ha_enabled === true && body.is_self !== true && active !== null;
        return isStandby ? { server, active } : { server };
      } catch (error) {
        const isLast = index === addresses.length - 1;
        if (isLast || !isKind('unreachable', 'unavailable')(error)) throw error;
        options.note(`${error.message}; trying the next server`);
      }
    }
    throw new LanyardError('unreachable', `cannot ${operations.save.name}: no server in the settings`);
  }

  async function follow(server: Endpoint, operation: Operation<object, void>, body?: SnapshotBody) {
    const { call, request, headers } = await callOf(server, operation, {});
    options.sent?.(call.secrets);
    let { url } = request;
    for (let hops = 0; ; hops += 1) {
      const method = body ? 'PUT' : 'GET';
      const length = body && { 'Content-Length': String(body.length), Expect: '100-continue' };
      const streamed = await open(method, url, { ...request.headers, ...headers, ...length }, isSnapshot);
      streamed.request.setTimeout(options.timeout * timeouts);
      options.detail(`> ${method} ${url.origin}${url.pathname}`);
      const head = await headOf(operation, streamed, body);
      options.detail(`< ${head.statusCode}`);
      const next = redirectTarget(call, { method, url }, rawResponse(head), server, hops);
      if (next === undefined) return { call, streamed, head };
      streamed.request.destroy();
      url = next;
    }
  }

  async function headOf(
    { name }: Operation<object, void>,
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

  /** The state of the server that applies a snapshot. */
  async function readSeal(address: string): Promise<{ readonly sealed: boolean }> {
    const patient = { ...options, timeout: options.timeout * timeouts };
    const send = transport({ ...endpoint, address, addresses: [address] }, patient);
    const { name } = operations.restore;
    try {
      return (await send(readHealth, {})).body;
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      const message = `${name}: outcome unknown: the service took the snapshot, but ${error.message}`;
      throw new LanyardError('unknown', message, { service, status: error.status });
    }
  }

  return {
    async save(write) {
      const { call, streamed, head } = await exchange(operations.save);
      try {
        if (!isSnapshot(head)) await requireSuccess(call, head);
        for await (const chunk of streamed.body()) await write(chunk);
      } catch (error) {
        throw streamed.failure(operations.save.name, error);
      } finally {
        streamed.request.destroy();
      }
    },
    async restore(snapshot, forced = false) {
      const operation = forced ? operations.restoreForced : operations.restore;
      const { call, streamed, head } = await exchange(operation, snapshot);
      try {
        if (!isRestored(head)) await requireSuccess(call, head);
      } finally {
        streamed.request.destroy();
      }
      await after(startMs, undefined, { signal: options.signal });
      return readSeal(streamed.url.origin);
    },
  };
}

/** A snapshot has no type that all products state; errors and pages have one. */
const isSnapshot = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && !/^(text\/html|application\/json)\b/i.test(headers['content-type'] ?? '');

/** Without a body: a service with another route at the path responds with an object. */
const isRestored = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 204 || (statusCode === 200 && ['0', undefined].includes(headers['content-length']));
