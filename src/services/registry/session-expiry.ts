import { parseDuration } from '../../wire/duration.ts';
import { TtlTimers } from '../core/state/ttl-timers.ts';
import { endSession, type Session, sessionsOf } from './model/sessions.ts';
import type { State } from './model/state.ts';

/**
 * Ends the sessions whose time to live is over. When the service starts, all begin anew: nobody could renew them
 * while it was down.
 */
export class SessionExpiry {
  readonly #timers: TtlTimers;

  constructor(state: State, onError: (error: unknown) => void) {
    const expire = (due: readonly string[]) =>
      state.update((transaction) => {
        for (const id of due) endSession(transaction, id);
      });
    this.#timers = new TtlTimers({ clock: state, expire, onError });
    for (const session of sessionsOf(state.view)) this.start(session);
  }

  /** Counts a session's time from now on; one without a time to live does not end by itself. */
  start({ ID, TTL }: Pick<Session, 'ID' | 'TTL'>): void {
    const seconds = parseDuration(TTL) ?? 0;
    if (seconds > 0) this.#timers.start(ID, seconds * 1000);
  }

  /** Ends what is due. */
  expireDue(): Promise<void> {
    return this.#timers.expireDue();
  }

  stop(): void {
    this.#timers.stop();
  }
}
