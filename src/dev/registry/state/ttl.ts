import { parseDuration } from '../../../wire/duration.ts';
import { endSession, type Session, sessionOf, sessionsOf } from './sessions.ts';
import type { State } from './state.ts';

/** Milliseconds that a timer can wait at the most. */
const longest = 3_600_000;

/**
 * Ends the sessions whose time to live is over: before every request, so that nobody meets one, and by a timer,
 * so that who waits for a lock learns of it. When the service starts, all begin anew: nobody could renew them
 * while it was down.
 */
export class SessionTimes {
  readonly #state: State;
  readonly #failed: (error: unknown) => void;
  /** Milliseconds of the epoch at which a session ends. */
  readonly #ends = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(state: State, failed: (error: unknown) => void) {
    this.#state = state;
    this.#failed = failed;
    for (const session of sessionsOf(state.view)) this.begin(session);
  }

  /** Counts a session's time from now on. */
  begin({ ID, TTL }: Pick<Session, 'ID' | 'TTL'>): void {
    const seconds = parseDuration(TTL) ?? 0;
    if (seconds > 0) this.#ends.set(ID, this.#state.now + seconds * 1000);
    this.#arm();
  }

  /** Ends what is due. */
  async sweep(): Promise<void> {
    const { now } = this.#state;
    const due = [...this.#ends].flatMap(([id, end]) => (end <= now ? [id] : []));
    if (due.length === 0) return;
    await this.#state.change((draft) => {
      for (const id of due) endSession(draft, id);
    });
    for (const id of due) this.#ends.delete(id);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    for (const id of this.#ends.keys()) if (!sessionOf(this.#state.view, id)) this.#ends.delete(id);
    if (this.#stopped || this.#ends.size === 0) return;
    const wait = Math.max(0, Math.min(...this.#ends.values()) - this.#state.now);
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
