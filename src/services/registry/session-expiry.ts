import { parseDuration } from '../../wire/duration.ts';
import { TtlReaper } from '../core/reaper.ts';
import { allSessions, endSession, type Session } from './model/sessions.ts';
import type { State } from './model/tables.ts';

/** Ends expired sessions. When the service starts, all times to live restart: no session could be renewed before. */
export class SessionExpiry extends TtlReaper {
  constructor(state: State, onError: (error: unknown) => void) {
    const expire = (due: readonly string[]) =>
      state.update((transaction) => {
        for (const id of due) endSession(transaction, id);
      });
    super({ now: () => state.now, expire, onError });
    for (const session of allSessions(state.view)) this.restart(session);
  }

  /** Restarts the time to live of a session, if it has one. */
  restart({ ID, TTL }: Pick<Session, 'ID' | 'TTL'>): void {
    const seconds = parseDuration(TTL) ?? 0;
    if (seconds > 0) this.start(ID, seconds * 1000);
  }
}
