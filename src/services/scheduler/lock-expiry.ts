import { TtlReaper } from '../core/reaper.ts';
import type { State } from './model/tables.ts';
import {
  lockOf,
  lockTable,
  parseVariableKey,
  removeLock,
  type VariablePath,
  variableKey,
  variableOf,
} from './model/variables.ts';

/**
 * Ends locks after their time to live and their delay; during the delay, a lock cannot be renewed. At start, all
 * times restart: no lock could be renewed before.
 */
export class LockExpiry extends TtlReaper {
  readonly #state: State;
  /** Milliseconds of the epoch, by variable. */
  readonly #renewableUntil: Map<string, number>;

  constructor(state: State, onError: (error: unknown) => void) {
    const renewableUntil = new Map<string, number>();
    super({
      now: () => state.now,
      async expire(due) {
        await endLocks(state, due);
        for (const key of due) if ((renewableUntil.get(key) ?? 0) <= state.now) renewableUntil.delete(key);
      },
      onError,
    });
    this.#state = state;
    this.#renewableUntil = renewableUntil;
    for (const key of lockTable.keys(state.view)) this.restart(parseVariableKey(key));
  }

  /** Restarts the times of the lock of a variable, or ends them with the lock. */
  restart(variablePath: VariablePath): void {
    const key = variableKey(variablePath);
    const lock = lockOf(this.#state.view, variablePath);
    if (lock) {
      this.#renewableUntil.set(key, this.#state.now + lock.TTL * 1000);
      this.start(key, (lock.TTL + lock.LockDelay) * 1000);
    } else {
      this.#renewableUntil.delete(key);
      this.cancel(key);
    }
  }

  /** Whether the time to live of the lock of a variable is not over. */
  isRenewable(variablePath: VariablePath): boolean {
    return (this.#renewableUntil.get(variableKey(variablePath)) ?? 0) > this.#state.now;
  }
}

function endLocks(state: State, keys: readonly string[]): Promise<void> {
  return state.update((transaction) => {
    for (const key of keys) {
      const variablePath = parseVariableKey(key);
      const variable = variableOf(transaction, variablePath);
      if (variable && lockOf(transaction, variablePath)) removeLock(transaction, variablePath, variable);
    }
  });
}
