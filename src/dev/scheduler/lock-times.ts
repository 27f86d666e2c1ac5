import { TimesToLive } from '../state/times-to-live.ts';
import type { State } from './state/tables.ts';
import { keyAt, lockOf, type Place, placeOf, putLock, variableOf } from './state/variables.ts';

/**
 * Ends the locks whose time is over. When the service starts, all begin anew: nobody could renew them while it was
 * down.
 */
export class LockTimes {
  readonly #state: State;
  readonly #times: TimesToLive;

  constructor(state: State, failed: (error: unknown) => void) {
    this.#state = state;
    this.#times = new TimesToLive({ clock: state, end: (due) => this.#end(due), failed });
    for (const key of state.view.keys('locks', '')) this.begin(placeOf(key));
  }

  /** Counts the time of a variable's lock from now on; of one that is gone no more. */
  begin(place: Place): void {
    const lock = lockOf(this.#state.view, place);
    if (lock) this.#times.begin(keyAt(place), lock.TTL * 1000);
    else this.#times.forget(keyAt(place));
  }

  /** Ends what is due. */
  sweep(): Promise<void> {
    return this.#times.sweep();
  }

  stop(): void {
    this.#times.stop();
  }

  #end(due: readonly string[]): Promise<void> {
    return this.#state.change((draft) => {
      for (const key of due) {
        const place = placeOf(key);
        const variable = variableOf(draft, place);
        const lock = lockOf(draft, place);
        if (!variable || !lock) continue;
        putLock(draft, place, variable, undefined);
        draft.delayLock(key, lock.LockDelay * 1000);
      }
    });
  }
}
