import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import type { State } from '../model/tables.ts';
import { type ReplicatedTable, replicatedNames, replicatedTables, replicateRow } from './replicate-row.ts';
import { notReplicating, type ReplicationStatus, statusTime } from './status.ts';
import { TokenBucket } from './token-bucket.ts';

/** Rounds (docs/protocol/registry.md#acl-replication-status). */
const burstRounds = 5;
const intervalMs = 1_000;
/** Maximum milliseconds between rounds without changes (docs/protocol/registry.md#acl-replication-status). */
const maxPauseMs = 300_000;
/** Rows per batch, between which other requests are served. */
const batchSize = 500;
/** Milliseconds that a writer waits for its own write to be replicated. */
const catchUpTimeoutMs = 100;

export interface ReplicatorParts {
  readonly primary: { readonly datacenter: string; readonly state: State };
  readonly secondary: State;
  readonly onError: (error: unknown) => void;
}

/**
 * Replicates the ACLs and config entries of the primary datacenter: a round after every change there, limited by a
 * token bucket, so that it may lag.
 */
export class Replicator {
  readonly #parts: ReplicatorParts;
  readonly #replicatedIndexes = new Map<ReplicatedTable, number>();
  readonly #abort = new AbortController();
  readonly #rateLimit = new TokenBucket(burstRounds, intervalMs, performance.now());
  #round = Promise.withResolvers<void>();
  #status: ReplicationStatus;

  constructor(parts: ReplicatorParts) {
    this.#parts = parts;
    this.#status = {
      ...notReplicating,
      Enabled: true,
      SourceDatacenter: parts.primary.datacenter,
      ReplicationType: 'tokens',
    };
  }

  /** Runs the first round, and continues in the background until it is stopped. @throws EmbeddedError write */
  async start(): Promise<void> {
    await this.#replicate();
    this.#recordSuccess();
    void this.#run();
  }

  get status(): ReplicationStatus {
    return this.#status;
  }

  /** Waits until the current state of the primary datacenter is replicated, for a short time at most. */
  async waitUntilCaughtUp(): Promise<void> {
    const timeout = sleep(catchUpTimeoutMs, 'timeout' as const, { ref: false });
    while (this.#isBehind && (await Promise.race([this.#round.promise, timeout])) !== 'timeout');
  }

  /** Replicates all tables, also those that did not change in the primary datacenter: those here were replaced. */
  async replicateAgain(): Promise<void> {
    this.#replicatedIndexes.clear();
    await this.#replicate();
  }

  stop(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await this.#waitForChange();
      await sleep(this.#rateLimit.take(performance.now()), undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#replicate();
        this.#recordSuccess();
      } catch (error) {
        if (!signal.aborted) this.#recordFailure(error);
      }
      this.#round.resolve();
      this.#round = Promise.withResolvers();
    }
  }

  /** Waits for a change in the primary datacenter, up to the maximum pause. */
  async #waitForChange(): Promise<void> {
    const { primary } = this.#parts;
    const deadline = performance.now() + maxPauseMs;
    while (
      !this.#isBehind &&
      (await primary.state.waitForChange(replicatedNames, deadline - performance.now(), this.#abort.signal))
    );
  }

  get #isBehind(): boolean {
    const { state } = this.#parts.primary;
    return replicatedNames.some((table) => state.indexOf(table) !== this.#replicatedIndexes.get(table));
  }

  async #replicate(): Promise<void> {
    for (const name of replicatedNames) await this.#replicateTable(name);
  }

  async #replicateTable(name: ReplicatedTable): Promise<void> {
    const { secondary, primary } = this.#parts;
    const primaryState = primary.state;
    const index = primaryState.indexOf(name);
    if (index === this.#replicatedIndexes.get(name)) return;
    const table = replicatedTables[name];
    const keys = [...new Set([...table.keys(primaryState.view), ...table.keys(secondary.view)])];
    for (let start = 0; start < keys.length; start += batchSize) {
      await secondary.update((transaction) => {
        for (const key of keys.slice(start, start + batchSize)) {
          replicateRow(transaction, name, key, primaryState.view);
        }
      });
      await breathe();
    }
    this.#replicatedIndexes.set(name, index);
  }

  #recordSuccess(): void {
    this.#status = {
      ...this.#status,
      Running: true,
      ReplicatedIndex: this.#replicatedIndexes.get('policies') ?? 0,
      ReplicatedRoleIndex: this.#replicatedIndexes.get('roles') ?? 0,
      ReplicatedTokenIndex: this.#replicatedIndexes.get('tokens') ?? 0,
      LastSuccess: statusTime(this.#parts.secondary.now),
    };
  }

  #recordFailure(error: unknown): void {
    this.#parts.onError(error);
    this.#status = {
      ...this.#status,
      LastError: statusTime(this.#parts.secondary.now),
      LastErrorMessage: messageOf(error),
    };
  }
}
