import { HttpError } from '../../core/http/http-service.ts';
import type { ReceivedImage } from './image-folder.ts';
import type { StoredImage, UploadOptions } from './images.ts';

/** Milliseconds within which an upload must begin, and within which a direct one must be confirmed. */
const startWithinMs = 15 * 60_000;
const confirmWithinMs = 60 * 60_000;
/** Milliseconds for which a finished or confirmed upload is distinguished from an unknown one. */
const retentionMs = 60 * 60_000;

/** A started upload; its ID is the permission to send the bytes. */
export interface UploadSession {
  readonly id: string;
  readonly key: string;
  readonly options: UploadOptions;
  readonly expires: number;
  /** Number of running requests; the session is kept while there are any. */
  activeSenders: number;
  /** When the session is removed, if no request is running and no image is unconfirmed. */
  forgetAfter: number;
  /** Open: accepts an image. Used: has received it. Gone: the provider's image was removed. */
  state: 'open' | 'used' | 'gone';
  /** The received image of a direct upload. */
  unconfirmed?: { readonly image: ReceivedImage; readonly expires: number };
  /** Set when the image begins to be stored. */
  storing?: Promise<StoredImage>;
}

/** The running uploads; they end with the process. */
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

  /** The session for an upload. @throws HttpError 404 unknown, 403 expired, 410 finished */
  requireOpen(id: string): UploadSession {
    const session = this.#sessions.get(id);
    if (!session) throw new HttpError(404, 'upload not found; request a new upload path');
    if (session.state !== 'open') throw uploadGone();
    if (session.expires > this.#now()) return session;
    throw new HttpError(403, 'the upload path has expired; ask for a new one');
  }

  /** Keeps a finished session for a client that repeats its request after a lost response. */
  extend(session: UploadSession): void {
    session.forgetAfter = this.#now() + retentionMs;
  }

  /** Keeps the image of a direct upload until it is confirmed. */
  awaitConfirmation(session: UploadSession, image: ReceivedImage): void {
    session.unconfirmed = { image, expires: this.#now() + confirmWithinMs };
  }

  /** Ends the uploads of a provider; returns their unconfirmed images. */
  endForProvider(key: string): ReceivedImage[] {
    return this.#end((session) => session.key === key);
  }

  endAll(): ReceivedImage[] {
    return this.#end(() => true);
  }

  /** Removes old sessions; returns the unconfirmed images that expired. */
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
