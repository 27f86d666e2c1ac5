import { TtlTimers } from '../core/state/ttl-timers.ts';
import type { State } from './model/tables.ts';
import {
  lockOf,
  parseVariableKey,
  putLock,
  type VariablePath,
  variableKey,
  variableOf,
} from './model/variables.ts';

/**
 * Releases expired locks. At the start of the service all TTLs restart: clients could not renew them while it was
 * down.
 */
export class LockExpiry {
  readonly #state: State;
  readonly #timers: TtlTimers;

  constructor(state: State, onError: (error: unknown) => void) {
    this.#state = state;
    this.#timers = new TtlTimers({ clock: state, expire: (due) => this.#expire(due), onError });
    for (const key of state.view.keys('locks', '')) this.start(parseVariableKey(key));
  }

  /** Starts the timer of a variable's lock; stops it if there is none. */
  start(variablePath: VariablePath): void {
    const lock = lockOf(this.#state.view, variablePath);
    if (lock) this.#timers.start(variableKey(variablePath), lock.TTL * 1000);
    else this.#timers.cancel(variableKey(variablePath));
  }

  /** Releases the expired locks. */
  expireDue(): Promise<void> {
    return this.#timers.expireDue();
  }

  stop(): void {
    this.#timers.stop();
  }

  #expire(due: readonly string[]): Promise<void> {
    return this.#state.update((transaction) => {
      for (const key of due) {
        const variablePath = parseVariableKey(key);
        const variable = variableOf(transaction, variablePath);
        const lock = lockOf(transaction, variablePath);
        if (!variable || !lock) continue;
        putLock(transaction, variablePath, variable, undefined);
        transaction.delayLock(key, lock.LockDelay * 1000);
      }
    });
  }
}
