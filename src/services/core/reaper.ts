import { SortedMap } from './store/sorted-map.ts';

interface ReaperParts {
  /** Milliseconds of the epoch. */
  readonly now: () => number;
  /** Milliseconds of the epoch at which something expires, or sooner; infinity: nothing does. */
  readonly nextExpiry: () => number;
  readonly removeExpired: () => Promise<void>;
  /** Receives failures that no request sees. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds: maximum timer delay, and delay before a retry. */
const maxTimerMs = 3_600_000;
const retryDelayMs = 10_000;

/** Removes what has expired: before every request, and by a timer, which does not keep the process alive. */
export class Reaper {
  readonly #parts: ReaperParts;
  #timer: NodeJS.Timeout | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: ReaperParts) {
    this.#parts = parts;
  }

  /** Removes what has expired. @throws what the removal throws */
  async removeExpired(): Promise<void> {
    if (this.isDue) await this.#parts.removeExpired();
  }

  /** Removes what has expired, once for concurrent callers. A failure is reported, and retried by the timer. */
  async sweep(): Promise<void> {
    if (!this.isDue) return;
    this.#sweeping ??= this.#parts
      .removeExpired()
      .catch((error: unknown) => {
        if (!this.#stopped) this.#parts.onError(error);
      })
      .finally(() => {
        this.#sweeping = undefined;
      });
    await this.#sweeping;
  }

  arm(): void {
    const due = this.#parts.nextExpiry();
    if (this.#stopped || due === this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = due;
    if (due === Number.POSITIVE_INFINITY) return;
    // What is already due has just failed.
    const delayMs = this.isDue ? retryDelayMs : due - this.#parts.now();
    this.#timer = setTimeout(
      () => {
        this.#armedFor = Number.POSITIVE_INFINITY;
        void this.sweep().then(() => this.arm());
      },
      Math.min(delayMs, maxTimerMs),
    ).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  get isDue(): boolean {
    return this.#parts.nextExpiry() <= this.#parts.now();
  }
}

type TtlReaperParts = Pick<ReaperParts, 'now' | 'onError'> & {
  /** Removes what these keys name; a key may no longer exist. */
  readonly expire: (due: readonly string[]) => Promise<void>;
};

/** The entry of a key among the expiries, which are ordered by time. */
const expiryEntry = (expiresAt: number, key: string): string =>
  `${String(Math.ceil(expiresAt)).padStart(16, '0')} ${key}`;
const timeOf = (entry: string): number => Number(entry.slice(0, 16));

/** Times to live of keys, which are kept in memory. */
export class TtlReaper {
  readonly #parts: TtlReaperParts;
  readonly #reaper: Reaper;
  /** Expiry of each key, in milliseconds of the epoch. */
  readonly #expiryTimes = new Map<string, number>();
  /** The keys in the order of their expiry. */
  readonly #order = new SortedMap<string>();

  constructor(parts: TtlReaperParts) {
    this.#parts = parts;
    this.#reaper = new Reaper({
      ...parts,
      nextExpiry: () => this.#nextExpiry,
      removeExpired: () => this.#expireDue(),
    });
  }

  protected start(key: string, ttlMs: number): void {
    this.cancel(key);
    const expiresAt = this.#parts.now() + ttlMs;
    this.#expiryTimes.set(key, expiresAt);
    this.#order.put(expiryEntry(expiresAt, key), key);
    this.#reaper.arm();
  }

  protected cancel(key: string): void {
    const expiresAt = this.#expiryTimes.get(key);
    if (expiresAt === undefined) return;
    this.#order.put(expiryEntry(expiresAt, key), undefined);
    this.#expiryTimes.delete(key);
  }

  /** Whether something may have expired: checked with every request, most of which need not wait. */
  get isDue(): boolean {
    return this.#reaper.isDue;
  }

  removeExpired(): Promise<void> {
    return this.#reaper.removeExpired();
  }

  stop(): void {
    this.#reaper.stop();
  }

  async #expireDue(): Promise<void> {
    const now = this.#parts.now();
    const due = this.#dueKeys(now);
    if (due.length > 0) await this.#parts.expire(due);
    // A key that was restarted meanwhile has a new expiry.
    for (const key of due) if ((this.#expiryTimes.get(key) ?? 0) <= now) this.cancel(key);
  }

  get #nextExpiry(): number {
    const [first] = this.#order.keys('', undefined, 1);
    return first === undefined ? Number.POSITIVE_INFINITY : timeOf(first);
  }

  #dueKeys(now: number): string[] {
    const entries = this.#order.keysBefore('', expiryEntry(now + 1, ''), Number.POSITIVE_INFINITY);
    return entries.reverse().map((entry) => this.#order.get(entry) ?? '');
  }
}
