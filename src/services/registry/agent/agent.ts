import { TtlReaper } from '../../core/reaper.ts';
import type { Content } from '../../core/state/state-table.ts';
import type { Status } from '../catalog-fields.ts';
import {
  type AgentCheck,
  type AgentService,
  agentCheckOf,
  agentChecksOfService,
  allAgentChecks,
  deleteAgentCheck,
  deleteAgentService,
  expireAgentCheck,
  putAgentCheck,
  putAgentService,
  reportAgentCheck,
  syncAgent,
} from '../model/agent.ts';
import { type AgentIdentity, isAgentRegistered, registerAgent } from '../model/register-agent.ts';
import type { State, TableName, Transaction } from '../model/tables.ts';

interface AgentParts {
  readonly state: State;
  readonly identity: AgentIdentity;
  readonly onError: (error: unknown) => void;
}

type NewCheck = Content<AgentCheck>;

/** Milliseconds between a change of the catalog and the sync that repairs what the agent registered. */
const syncIntervalMs = 60_000;
const catalogTables: readonly TableName[] = ['nodes', 'services', 'checks'];

const ttlKey = (id: string): string => `ttl/${id}`;
const deregisterKey = (id: string): string => `deregister/${id}`;
const syncKey = 'sync';

/**
 * The agent of a datacenter: its services and checks, which it registers in the catalog. It expires checks
 * after their time to live, deregisters services that were critical for too long, and repairs the catalog
 * (docs/protocol/registry.md#agent). When it starts, all times to live restart, except expired ones.
 */
export class Agent extends TtlReaper {
  readonly #state: State;
  readonly #identity: AgentIdentity;
  /** Checks that were reported or became critical; their services may be deregistered. */
  readonly #critical = new Set<string>();
  #syncedIndex: number;

  constructor({ state, identity, onError }: AgentParts) {
    super({ now: () => state.now, expire: (due) => this.#expire(due), onError });
    this.#state = state;
    this.#identity = identity;
    this.#syncedIndex = state.indexOf(...catalogTables);
    for (const { check, expiresAt, ttlMs } of allAgentChecks(state.view)) {
      if (ttlMs === null) continue;
      const isOver = expiresAt !== null && expiresAt <= state.now;
      this.start(ttlKey(check.CheckID), isOver ? 0 : ttlMs);
    }
  }

  /**
   * Registers a service and its checks. A check that exists keeps its status and output.
   * @param replaceChecks whether its other checks are removed
   */
  async putService(
    service: Content<AgentService>,
    checks: readonly NewCheck[],
    replaceChecks: boolean,
  ): Promise<void> {
    const kept = new Set(checks.map(({ check }) => check.CheckID));
    await this.#update((transaction) => {
      putAgentService(transaction, service);
      for (const row of checks) putCheck(transaction, row);
      if (!replaceChecks) return;
      for (const { check } of agentChecksOfService(transaction, service.ID))
        if (!kept.has(check.CheckID)) deleteAgentCheck(transaction, check.CheckID);
    });
    for (const row of checks) this.#restart(row);
  }

  /** Removes a service with its checks. */
  async removeService(id: string): Promise<void> {
    await this.#update((transaction) => deleteAgentService(transaction, id));
  }

  /** Registers a check. A check that exists keeps its status and output. */
  async putCheck(row: NewCheck): Promise<void> {
    await this.#update((transaction) => putCheck(transaction, row));
    this.#restart(row);
  }

  async removeCheck(id: string): Promise<void> {
    await this.#update((transaction) => deleteAgentCheck(transaction, id));
  }

  /** Reports the status of a check, and restarts its time to live. */
  async reportCheck(row: AgentCheck, status: Status, output: string): Promise<void> {
    await this.#update((transaction) => reportAgentCheck(transaction, row, status, output));
    if (row.ttlMs !== null) this.start(ttlKey(row.check.CheckID), row.ttlMs);
    this.#noticeStatus(row, status);
  }

  /** Schedules a sync if the catalog has changed: what the agent registered may have been removed. */
  scheduleSync(): void {
    const index = this.#state.indexOf(...catalogTables);
    if (index === this.#syncedIndex) return;
    this.#syncedIndex = index;
    const { view } = this.#state;
    const hasRows = (['agent-services', 'agent-checks'] as const).some(
      (table) => this.#state.rows(table).keysAfter('', '', 1).length > 0,
    );
    if (hasRows || !isAgentRegistered(view, this.#identity.node)) this.start(syncKey, syncIntervalMs);
  }

  #update(work: (transaction: Transaction) => void): Promise<void> {
    return this.#state.update((transaction) => {
      registerAgent(transaction, this.#identity);
      work(transaction);
    });
  }

  /** Restarts the times of a check that was registered again. */
  #restart({ check: { CheckID }, ttlMs }: NewCheck): void {
    this.#critical.delete(CheckID);
    this.cancel(deregisterKey(CheckID));
    if (ttlMs === null) this.cancel(ttlKey(CheckID));
    else this.start(ttlKey(CheckID), ttlMs);
  }

  /** The status that a check has at its registration does not deregister its service. */
  #noticeStatus({ check: { CheckID }, deregisterAfterMs }: NewCheck, status: Status): void {
    if (status !== 'critical') {
      this.#critical.delete(CheckID);
      this.cancel(deregisterKey(CheckID));
      return;
    }
    if (this.#critical.has(CheckID)) return;
    this.#critical.add(CheckID);
    if (deregisterAfterMs !== null) this.start(deregisterKey(CheckID), deregisterAfterMs);
  }

  async #expire(due: readonly string[]): Promise<void> {
    const { view } = this.#state;
    const rowsOf = (keyOf: (id: string) => string) => {
      const prefix = keyOf('');
      const ids = due.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
      return ids.flatMap((id) => agentCheckOf(view, id) ?? []);
    };
    const expired = rowsOf(ttlKey);
    const abandoned = rowsOf(deregisterKey).filter(({ check }) => check.ServiceID !== '');
    await this.#update((transaction) => {
      for (const row of expired) expireAgentCheck(transaction, row);
      for (const { check } of abandoned) deleteAgentService(transaction, check.ServiceID);
      if (due.includes(syncKey)) syncAgent(transaction, this.#identity);
    });
    for (const row of expired) this.#noticeStatus(row, 'critical');
  }
}

function putCheck(transaction: Transaction, row: NewCheck): void {
  const existing = agentCheckOf(transaction, row.check.CheckID)?.check;
  const { Status, Output } = existing ?? row.check;
  putAgentCheck(transaction, {
    ...row,
    expiresAt: row.ttlMs === null ? null : transaction.now + row.ttlMs,
    check: { ...row.check, Status, Output },
  });
}
