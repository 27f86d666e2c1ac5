import type { State } from './state/tables.ts';
import { keyAt, lockOf, type Place, placeOf, putLock, variableOf } from './state/variables.ts';

/** Milliseconds that a timer can wait at the most. */
const longest = 3_600_000;

/**
 * Ends the locks whose time is over: before every request, so that nobody meets one, and by a timer, so that who waits
 * for a variable learns of it. When the service starts, all begin anew: nobody could renew them while it was down.
 */
export class LockTimes {
  readonly #state: State;
  readonly #failed: (error: unknown) => void;
  /** Milliseconds of the epoch at which a lock ends, by the key of its variable. */
  readonly #ends = new Map<string, number>();
  /** No lock ends before: it is enough to look then. */
  #next = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(state: State, failed: (error: unknown) => void) {
    this.#state = state;
    this.#failed = failed;
    for (const key of state.view.keys('locks', '')) this.begin(placeOf(key));
  }

  /** Counts the time of a variable's lock from now on; of one that is gone no more. */
  begin(place: Place): void {
    const lock = lockOf(this.#state.view, place);
    if (!lock) {
      this.#ends.delete(keyAt(place));
      return;
    }
    const end = this.#state.now + lock.TTL * 1000;
    this.#ends.set(keyAt(place), end);
    if (end >= this.#next) return;
    this.#next = end;
    this.#arm();
  }

  /** Ends what is due. */
  async sweep(): Promise<void> {
    const { now } = this.#state;
    if (now < this.#next) return;
    const due = [...this.#ends].flatMap(([key, end]) => (end <= now ? [key] : []));
    await this.#state.change((draft) => {
      for (const key of due) {
        const place = placeOf(key);
        const variable = variableOf(draft, place);
        const lock = lockOf(draft, place);
        if (!variable || !lock) continue;
        putLock(draft, place, variable, undefined);
        draft.delayLock(key, lock.LockDelay * 1000);
      }
    });
    // One that was acquired again meanwhile has a time of its own.
    for (const key of due) if ((this.#ends.get(key) ?? 0) <= now) this.#ends.delete(key);
    this.#next = Number.POSITIVE_INFINITY;
    for (const end of this.#ends.values()) this.#next = Math.min(this.#next, end);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#next === Number.POSITIVE_INFINITY) return;
    const wait = Math.max(0, this.#next - this.#state.now);
    // A change that failed is tried again a second later.
    this.#timer = setTimeout(() => void this.#tick(), Math.min(Math.max(wait, 1_000), longest)).unref();
  }

  async #tick(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      if (!this.#stopped) this.#failed(error);
    }
    this.#arm();
  }
}
