import { HttpRefusal } from '../../http/service.ts';
import type { ReceivedImage } from './folder.ts';
import type { StoredImage, UploadOptions } from './images.ts';

/** Milliseconds that an upload has to begin within, and that a held one then waits to be confirmed. */
const beginsWithin = 15 * 60_000;
const heldFor = 60 * 60_000;
/** Milliseconds that an upload which is over, or was confirmed, is still told from one that never was. */
const rememberedFor = 60 * 60_000;

/** An upload that was begun: who knows its id may send the bytes. */
export interface Ticket {
  readonly id: string;
  readonly key: string;
  readonly options: UploadOptions;
  readonly expires: number;
  /** How many send to it now: it is not forgotten meanwhile, however long that takes. */
  senders: number;
  /** Until when it is remembered, where nobody sends and nothing waits. */
  remembered: number;
  /** Open: takes an image. Used: had it. Gone: its provider's image was removed. */
  state: 'open' | 'used' | 'gone';
  /** What a held upload received. */
  waiting?: { readonly image: ReceivedImage; readonly until: number };
  /** Set from when its image is made the provider's. */
  kept?: Promise<StoredImage>;
}

/** The uploads that are under way; they end with the process. */
export class Tickets {
  readonly #clock: () => Date;
  readonly #tickets = new Map<string, Ticket>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  add(id: string, key: string, options: UploadOptions): Ticket {
    const expires = this.#now() + beginsWithin;
    const remembered = expires + rememberedFor;
    const ticket: Ticket = { id, key, options, expires, remembered, senders: 0, state: 'open' };
    this.#tickets.set(id, ticket);
    return ticket;
  }

  get(id: string): Ticket | undefined {
    return this.#tickets.get(id);
  }

  /**
   * The upload that bytes may be sent to.
   * @throws HttpRefusal 404 there is none, 403 it expired, 410 it is over
   */
  open(id: string): Ticket {
    const ticket = this.#tickets.get(id);
    if (!ticket) throw new HttpRefusal(404, 'there is no such upload; ask for a new upload path');
    if (ticket.state !== 'open') throw isOver();
    if (ticket.expires > this.#now()) return ticket;
    throw new HttpRefusal(403, 'the upload path has expired; ask for a new one');
  }

  /** Remembers from now on an upload that had its image, for whoever asks again because an answer was lost. */
  renew(ticket: Ticket): void {
    ticket.remembered = this.#now() + rememberedFor;
  }

  /** Lets what a held upload received wait to be confirmed. */
  hold(ticket: Ticket, image: ReceivedImage): void {
    ticket.waiting = { image, until: this.#now() + heldFor };
  }

  /** Ends a provider's uploads; returns what waited in them. */
  endOf(key: string): ReceivedImage[] {
    return this.#end((ticket) => ticket.key === key);
  }

  endAll(): ReceivedImage[] {
    return this.#end(() => true);
  }

  /** Forgets what is long over; returns what waited for too long. */
  sweep(): ReceivedImage[] {
    const now = this.#now();
    for (const [id, { remembered, senders, waiting }] of this.#tickets) {
      if (!waiting && senders === 0 && remembered <= now) this.#tickets.delete(id);
    }
    return this.#end(({ waiting }) => waiting !== undefined && waiting.until <= now);
  }

  #end(which: (ticket: Ticket) => boolean): ReceivedImage[] {
    return [...this.#tickets.values()].filter(which).flatMap((ticket) => {
      ticket.state = 'gone';
      const waited = ticket.waiting?.image ?? [];
      delete ticket.waiting;
      return waited;
    });
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

export const isOver = (): HttpRefusal =>
  new HttpRefusal(410, 'the upload path was used, or its provider is gone; ask for a new one');
