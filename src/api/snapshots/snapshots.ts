import { setTimeout as after } from 'node:timers/promises';
import { isKind, LanyardError } from '../../errors.ts';
import { readLeader } from '../active-reads.ts';
import type { Endpoint } from '../endpoint.ts';
import { transport } from '../http/client.ts';
import { addServer, isServer } from '../http/redirect.ts';
import type { Operation } from '../operation.ts';
import { readHealth, snapshotOperations } from './operations.ts';
import {
  type Exchanged,
  firstServer,
  type SnapshotBody,
  type SnapshotOptions,
  snapshotStreams,
  timeouts,
} from './streams.ts';

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
/** Makes the functions that move snapshots, with the senders of images (ADR 11). */
export function snapshots(service: 'secrets', endpoint: Endpoint, options: SnapshotOptions): Snapshots {
  const { follow, receive, requireRestored } = snapshotStreams(endpoint, options);
  const operations = snapshotOperations[service];

  /** Sends to the active server, if the settings have its address. A restore is sent to no other. */
  async function exchange(operation: Operation<object, void>, body?: SnapshotBody): Promise<Exchanged> {
    options.stop?.(endpoint, operation, body?.length, {});
    const { server, active } = await findActive();
    if (active === undefined) return follow(server, operation, body, {});
    if (isServer(active, endpoint))
      return follow({ ...endpoint, address: active.origin }, operation, body, {});
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
    return follow(server, operation, undefined, {});
  }

  /**
   * The first server of the settings that can be reached, and the active one if that is another.
   *
   * @throws LanyardError unreachable: no server; unavailable: sealed
   */
  async function findActive(): Promise<{ readonly server: Endpoint; readonly active?: URL }> {
    return firstServer(endpoint, options, isKind('unreachable', 'unavailable'), async (server) => {
      const send = transport({ ...server, addresses: [server.address] }, options);
      const { body } = await send(readLeader, {});
      const active = URL.parse(body.leader_address ?? '');
      const isStandby = body.ha_enabled === true && body.is_self !== true && active !== null;
      return isStandby ? { server, active } : { server };
    });
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
      await receive(operations.save.name, await exchange(operations.save), write);
    },
    async restore(snapshot, forced = false) {
      const operation = forced ? operations.restoreForced : operations.restore;
      const exchanged = await exchange(operation, snapshot);
      await requireRestored(exchanged);
      await after(startMs, undefined, { signal: options.signal });
      return readSeal(exchanged.streamed.url.origin);
    },
  };
}
