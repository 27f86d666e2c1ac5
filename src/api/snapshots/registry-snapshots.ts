import { isKind } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Operation } from '../operation.ts';
import type { InDatacenter } from '../operation-builders.ts';
import { snapshotOperations } from './operations.ts';
import {
  type Exchanged,
  firstServer,
  type SnapshotBody,
  type SnapshotOptions,
  snapshotStreams,
} from './streams.ts';

/** How a snapshot of the registry is saved. */
export interface SavedFrom extends InDatacenter {
  /** Any server may save what it has, also without a leader. */
  stale?: '';
}

/** Snapshots of the state of a datacenter, which may have any length. */
export interface RegistrySnapshots {
  /**
   * Receives a snapshot; `write` may use a chunk until it has resolved.
   *
   * @throws LanyardError as every read; what `write` throws.
   */
  save(from: SavedFrom, write: (chunk: Uint8Array) => Promise<void>): Promise<void>;
  /** Sends a snapshot once. @throws LanyardError `unknown`: all was sent, and the response was lost. */
  restore(to: InDatacenter, snapshot: SnapshotBody): Promise<void>;
}

/** Makes the functions that move snapshots of the registry (docs/protocol/registry.md#snapshots). */
export function registrySnapshots(endpoint: Endpoint, options: SnapshotOptions): RegistrySnapshots {
  const { follow, receive, requireRestored } = snapshotStreams(endpoint, options);
  const operations = snapshotOperations.registry;

  /** Sends to the first server of the settings that can be reached: it forwards to the leader. */
  async function exchange<Input extends object>(
    operation: Operation<Input, void>,
    input: Input,
    body?: SnapshotBody,
  ): Promise<Exchanged> {
    options.stop?.(endpoint, operation, body?.length, input);
    return firstServer(endpoint, options, isKind('unreachable'), (server) =>
      follow(server, operation, body, input),
    );
  }

  return {
    async save(from, write) {
      await receive(operations.save.name, await exchange(operations.save, from), write);
    },
    async restore(to, snapshot) {
      await requireRestored(await exchange(operations.restore, to, snapshot));
    },
  };
}
