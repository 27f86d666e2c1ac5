import { HttpError } from '../../core/http/http-service.ts';
import type { ReceivedImage } from './image-folder.ts';
import type { StoredImage, UploadOptions } from './images.ts';

/** Milliseconds that an upload has to begin within, and that a held one then waits to be confirmed. */
const startWithinMs = 15 * 60_000;
const confirmWithinMs = 60 * 60_000;
/** Milliseconds that an upload which is over, or was confirmed, is still told from one that never was. */
const retentionMs = 60 * 60_000;

/** An upload that was begun: who knows its id may send the bytes. */
export interface UploadSession {
  readonly id: string;
  readonly key: string;
  readonly options: UploadOptions;
  readonly expires: number;
  /** How many send to it now: it is not forgotten meanwhile, however long that takes. */
  activeSenders: number;
  /** Until when it is remembered, where nobody sends and nothing waits. */
  forgetAfter: number;
  /** Open: takes an image. Used: had it. Gone: its provider's image was removed. */
  state: 'open' | 'used' | 'gone';
  /** What a held upload received. */
  unconfirmed?: { readonly image: ReceivedImage; readonly expires: number };
  /** Set from when its image is made the provider's. */
  storing?: Promise<StoredImage>;
}

/** The uploads that are under way; they end with the process. */
export class UploadSessions {
  readonly #clock: () => Date;
  readonly #sessions = new Map<string, UploadSession>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  add(id: string, key: string, options: UploadOptions): UploadSession {
    const expires = this.#now() + startWithinMs;
    const forgetAfter = expires + retentionMs;
    const session: UploadSession = {
      id,
      key,
      options,
      expires,
      forgetAfter,
      activeSenders: 0,
      state: 'open',
    };
    this.#sessions.set(id, session);
    return session;
  }

  get(id: string): UploadSession | undefined {
    return this.#sessions.get(id);
  }

  /**
   * The upload that bytes may be sent to.
   * @throws HttpError 404 there is none, 403 it expired, 410 it is over
   */
  requireOpen(id: string): UploadSession {
    const session = this.#sessions.get(id);
    if (!session) throw new HttpError(404, 'there is no such upload; ask for a new upload path');
    if (session.state !== 'open') throw uploadGone();
    if (session.expires > this.#now()) return session;
    throw new HttpError(403, 'the upload path has expired; ask for a new one');
  }

  /** Remembers from now on an upload that had its image, for whoever asks again because an answer was lost. */
  extend(session: UploadSession): void {
    session.forgetAfter = this.#now() + retentionMs;
  }

  /** Lets what a held upload received wait to be confirmed. */
  awaitConfirmation(session: UploadSession, image: ReceivedImage): void {
    session.unconfirmed = { image, expires: this.#now() + confirmWithinMs };
  }

  /** Ends a provider's uploads; returns what waited in them. */
  endForProvider(key: string): ReceivedImage[] {
    return this.#end((session) => session.key === key);
  }

  endAll(): ReceivedImage[] {
    return this.#end(() => true);
  }

  /** Forgets what is long over; returns what waited for too long. */
  removeExpired(): ReceivedImage[] {
    const now = this.#now();
    for (const [id, { forgetAfter, activeSenders, unconfirmed }] of this.#sessions) {
      if (!unconfirmed && activeSenders === 0 && forgetAfter <= now) this.#sessions.delete(id);
    }
    return this.#end(({ unconfirmed }) => unconfirmed !== undefined && unconfirmed.expires <= now);
  }

  #end(predicate: (session: UploadSession) => boolean): ReceivedImage[] {
    return [...this.#sessions.values()].filter(predicate).flatMap((session) => {
      session.state = 'gone';
      const unconfirmed = session.unconfirmed?.image ?? [];
      delete session.unconfirmed;
      return unconfirmed;
    });
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

export const uploadGone = (): HttpError =>
  new HttpError(410, 'the upload path was used, or its provider is gone; ask for a new one');
