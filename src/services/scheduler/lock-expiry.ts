import { TtlReaper } from '../core/reaper.ts';
import type { State } from './model/tables.ts';
import {
  lockOf,
  lockTable,
  parseVariableKey,
  putLock,
  type VariablePath,
  variableKey,
  variableOf,
} from './model/variables.ts';

/** Ends expired locks. When the service starts, all times to live restart: no lock could be renewed before. */
export class LockExpiry extends TtlReaper {
  readonly #state: State;

  constructor(state: State, onError: (error: unknown) => void) {
    super({ now: () => state.now, expire: (due) => endLocks(state, due), onError });
    this.#state = state;
    for (const key of lockTable.keys(state.view)) this.restart(parseVariableKey(key));
  }

  /** Restarts the time to live of the lock of a variable, or ends it with the lock. */
  restart(variablePath: VariablePath): void {
    const lock = lockOf(this.#state.view, variablePath);
    if (lock) this.start(variableKey(variablePath), lock.TTL * 1000);
    else this.cancel(variableKey(variablePath));
  }
}

function endLocks(state: State, keys: readonly string[]): Promise<void> {
  return state.update((transaction) => {
    for (const key of keys) {
      const variablePath = parseVariableKey(key);
      const variable = variableOf(transaction, variablePath);
      const lock = lockOf(transaction, variablePath);
      if (!variable || !lock) continue;
      putLock(transaction, variablePath, variable, undefined);
      transaction.delayLock(key, lock.LockDelay * 1000);
    }
  });
}
