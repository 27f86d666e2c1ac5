import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import type { Table } from '../state/draft.ts';
import type { State } from '../state/state.ts';
import { followedTables, followRow } from './follow.ts';
import { Pace } from './pace.ts';
import { notReplicating, type ReplicationStatus, statusTime } from './status.ts';

/** Rounds (docs/protocol/registry.md#acl-replication-status). */
const burst = 5;
/** Milliseconds. */
const interval = 1_000;
/**
 * Without any change, a round is made so often nevertheless (docs/protocol/registry.md#acl-replication-status).
 * Milliseconds.
 */
const longestPause = 300_000;
/** Rows that are compared in one stretch. */
const stretch = 500;
/** Milliseconds that a writer waits to see here what was written in the primary datacenter. */
const patience = 100;

export interface ReplicatorParts {
  readonly primary: { readonly datacenter: string; readonly state: State };
  readonly own: State;
  /** Told of every round that fails. */
  readonly failed: (error: unknown) => void;
}

/**
 * Makes the access control and the config entries of a secondary datacenter what they are in the primary one:
 * a round after every change there, but not more often than the pace allows, so that it may lag.
 */
export class Replicator {
  readonly #parts: ReplicatorParts;
  /** The index of the primary's table that is here, by table. */
  readonly #reached = new Map<Table, number>();
  readonly #stopping = new AbortController();
  readonly #pace = new Pace(burst, interval, performance.now());
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

  /** Makes the first round, and goes on in the background until it is stopped. @throws EmbeddedError write */
  async begin(): Promise<void> {
    await this.#follow();
    this.#succeeded();
    void this.#run();
  }

  get status(): ReplicationStatus {
    return this.#status;
  }

  /** Waits until what is in the primary datacenter now is here; not long, when the pace holds it up. */
  async caughtUp(): Promise<void> {
    const late = sleep(patience, 'late' as const, { ref: false });
    while (this.#behind && (await Promise.race([this.#round.promise, late])) !== 'late');
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#changed();
      await sleep(this.#pace.next(performance.now()), undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#follow();
        this.#succeeded();
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
      this.#round.resolve();
      this.#round = Promise.withResolvers();
    }
  }

  /** Waits until there is something to do: a change in the primary datacenter, or none for long. */
  async #changed(): Promise<void> {
    const { primary } = this.#parts;
    const until = performance.now() + longestPause;
    while (
      !this.#behind &&
      (await primary.state.changeOf(followedTables, until - performance.now(), this.#stopping.signal))
    );
  }

  get #behind(): boolean {
    const { state } = this.#parts.primary;
    return followedTables.some((table) => state.indexOf(table) !== this.#reached.get(table));
  }

  async #follow(): Promise<void> {
    for (const table of followedTables) await this.#followTable(table);
  }

  async #followTable(table: Table): Promise<void> {
    const { own, primary } = this.#parts;
    const theirs = primary.state;
    const index = theirs.indexOf(table);
    if (index === this.#reached.get(table)) return;
    const keys = [...new Set([...theirs.view.keys(table, ''), ...own.view.keys(table, '')])];
    for (let at = 0; at < keys.length; at += stretch) {
      await own.change((draft) => {
        for (const key of keys.slice(at, at + stretch)) {
          followRow(draft, table, key, theirs.view.get(table, key));
        }
      });
      await breathe();
    }
    this.#reached.set(table, index);
  }

  #succeeded(): void {
    this.#status = {
      ...this.#status,
      Running: true,
      ReplicatedIndex: this.#reached.get('policies') ?? 0,
      ReplicatedRoleIndex: this.#reached.get('roles') ?? 0,
      ReplicatedTokenIndex: this.#reached.get('tokens') ?? 0,
      LastSuccess: statusTime(this.#parts.own.now),
    };
  }

  #failed(error: unknown): void {
    this.#parts.failed(error);
    this.#status = {
      ...this.#status,
      LastError: statusTime(this.#parts.own.now),
      LastErrorMessage: messageOf(error),
    };
  }
}
