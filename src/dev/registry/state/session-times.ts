import { parseDuration } from '../../../wire/duration.ts';
import { TimesToLive } from '../../state/times-to-live.ts';
import { endSession, type Session, sessionsOf } from './sessions.ts';
import type { State } from './state.ts';

/**
 * Ends the sessions whose time to live is over. When the service starts, all begin anew: nobody could renew them
 * while it was down.
 */
export class SessionTimes {
  readonly #times: TimesToLive;

  constructor(state: State, failed: (error: unknown) => void) {
    const end = (due: readonly string[]) =>
      state.change((draft) => {
        for (const id of due) endSession(draft, id);
      });
    this.#times = new TimesToLive({ clock: state, end, failed });
    for (const session of sessionsOf(state.view)) this.begin(session);
  }

  /** Counts a session's time from now on; one without a time to live does not end by itself. */
  begin({ ID, TTL }: Pick<Session, 'ID' | 'TTL'>): void {
    const seconds = parseDuration(TTL) ?? 0;
    if (seconds > 0) this.#times.begin(ID, seconds * 1000);
  }

  /** Ends what is due. */
  sweep(): Promise<void> {
    return this.#times.sweep();
  }

  stop(): void {
    this.#times.stop();
  }
}
