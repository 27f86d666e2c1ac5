import { createHmac } from 'node:crypto';
import type { Json } from '../../wire/json.ts';
import type { Change, Storage } from '../storage.ts';
import { eachEnded, endMark, firstEnd, MarkedStorage } from './marked.ts';
import type { Mortal } from './reaper.ts';

/** A token as it is kept: everything but the token. Times are unix seconds. */
export interface TokenEntry {
  /** Keyed digest of the token, hex. */
  readonly digest: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  /** Where it was made. */
  readonly path: string;
  readonly displayName: string;
  readonly meta: { readonly [name: string]: string } | null;
  /** Uses left; 0: any number. */
  readonly uses: number;
  /** Digest of the token that it is revoked with. */
  readonly parent: string | null;
  readonly created: number;
  readonly renewed: number | null;
  /** Seconds it was given; 0: it does not expire. */
  readonly ttl: number;
  readonly expires: number | null;
  /** Seconds that no renewal passes, from its making; 0: the service's own limit. */
  readonly maxTtl: number;
  readonly renewable: boolean;
  /** The token that the service was started with; there is one at most. */
  readonly startUp?: boolean;
  /** Path of its namespace, with a slash at the end; absent: the root namespace. */
  readonly namespace?: string;
  /** The entity that it acts for, in its namespace. */
  readonly entityId?: string;
}

const root = {
  policies: ['root'],
  path: 'auth/token/root',
  displayName: 'root',
  meta: null,
  uses: 0,
  parent: null,
  ttl: 0,
  maxTtl: 0,
  renewable: false,
} as const;

/** Seconds: the service's default and longest life of a token (768 hours). */
export const systemTtl = 2_764_800;

const entryPrefix = 'entry/';
const startUpMark = 'start-up';
const childMark = (parent: string): string => `child/${parent}`;

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

interface TokenParts {
  readonly storage: Storage;
  readonly random: (length: number) => Uint8Array;
  readonly clock: () => Date;
  /** Told the digests of tokens that are no more. */
  readonly revoked: (digests: ReadonlySet<string>) => Promise<void>;
  /** Told that one token took the place of another. */
  readonly replaced: (before: string, after: string) => Promise<void>;
}

/**
 * The tokens. A token is found by a digest of it under a key that never leaves this storage: nothing a
 * caller can measure about the search tells anything about a token, and none can be read from what is
 * stored.
 */
export class Tokens implements Mortal {
  readonly #storage: MarkedStorage;
  readonly #entries: Storage;
  readonly #random: (length: number) => Uint8Array;
  readonly #clock: () => Date;
  readonly #revoked: TokenParts['revoked'];
  readonly #replaced: TokenParts['replaced'];
  constructor({ storage, random, clock, revoked, replaced }: TokenParts) {
    this.#storage = new MarkedStorage(storage, marksOf);
    this.#entries = this.#storage.below(entryPrefix);
    this.#random = random;
    this.#clock = clock;
    this.#revoked = revoked;
    this.#replaced = replaced;
  }

  get due(): number {
    return firstEnd(this.#storage);
  }

  /** Makes what the tokens need before the first one. */
  async begin(): Promise<void> {
    if (this.#storage.get('salt') !== undefined) return;
    const salt = Buffer.from(this.#random(32)).toString('base64');
    await this.#storage.write([{ key: 'salt', value: salt }]);
  }

  now(): number {
    return seconds(this.#clock());
  }

  /** Is it kept, though its uses may all be taken? */
  has(digest: string): boolean {
    return this.#entries.get(digest) !== undefined;
  }

  /** The entry of a token; undefined: unknown, used up or expired. */
  find(token: string): TokenEntry | undefined {
    return this.#living(this.#digest(token));
  }

  byAccessor(accessor: string): TokenEntry | undefined {
    const digest = this.#storage.get(`accessor/${accessor}`);
    return typeof digest === 'string' ? this.#living(digest) : undefined;
  }

  /** A new token text. */
  newToken(): string {
    return `hvs.${Buffer.from(this.#random(24)).toString('base64url')}`;
  }

  /** Keeps a token; resolves with its entry when it is durable. */
  async create(
    token: string,
    facts: Omit<TokenEntry, 'digest' | 'accessor' | 'created' | 'renewed' | 'expires'>,
  ): Promise<TokenEntry> {
    const created = this.now();
    const entry: TokenEntry = {
      ...facts,
      digest: this.#digest(token),
      accessor: Buffer.from(this.#random(18)).toString('base64url'),
      created,
      renewed: null,
      expires: facts.ttl === 0 ? null : created + facts.ttl,
    };
    await this.#storage.write([
      { key: `entry/${entry.digest}`, value: asJson(entry) },
      { key: `accessor/${entry.accessor}`, value: entry.digest },
    ]);
    return entry;
  }

  /**
   * Makes this the one token that the service is started with. The one before it is revoked; what was made with
   * that one lives on.
   */
  async createStartUp(token: string): Promise<void> {
    const [before] = this.#marked(startUpMark);
    const digest = this.#digest(token);
    if (before?.digest === digest) return;
    if (before) {
      const children = this.#marked(childMark(before.digest));
      await this.#storage.write([
        { key: `entry/${before.digest}` },
        { key: `accessor/${before.accessor}` },
        ...children.map((child) => ({
          key: `entry/${child.digest}`,
          value: asJson({ ...child, parent: digest }),
        })),
      ]);
    }
    await this.create(token, { ...root, startUp: true });
    if (before) await this.#replaced(before.digest, digest);
  }

  /** A root token that nothing replaces. */
  async createRoot(token: string): Promise<void> {
    await this.create(token, root);
  }

  /** Counts a use of a token that has a number of them. */
  async use(entry: TokenEntry): Promise<void> {
    if (entry.uses === 0) return;
    // Minus one: used up, and removed when the request is done.
    await this.#put({ ...entry, uses: entry.uses === 1 ? -1 : entry.uses - 1 });
  }

  /** Removes a token whose uses are spent. */
  async spend(entry: TokenEntry): Promise<void> {
    if (entry.uses === 1) await this.revoke(entry);
  }

  /** Lets a token live for the increment from now (its own ttl if 0), within its limits. */
  async renew(entry: TokenEntry, increment: number): Promise<TokenEntry> {
    const now = this.now();
    const limit = entry.created + (entry.maxTtl || systemTtl);
    const expires = Math.min(now + (increment || entry.ttl), limit);
    return this.#put({ ...entry, renewed: now, expires });
  }

  /** Revokes a token and all that were made with it. */
  async revoke(entry: TokenEntry): Promise<void> {
    await this.#revoke([entry]);
  }

  /** Revokes the tokens that are so, and all that were made with them. */
  async revokeWhere(is: (entry: TokenEntry) => boolean): Promise<void> {
    await this.#revoke(this.#all().filter(is));
  }

  /** Removes what has expired. */
  async tidy(): Promise<void> {
    await eachEnded(this.#storage, this.now(), (keys) => this.#revoke(this.#at(keys)));
  }

  async #revoke(entries: readonly TokenEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const doomed = new Map(entries.map((entry) => [entry.digest, entry]));
    for (const digest of doomed.keys())
      for (const child of this.#marked(childMark(digest))) doomed.set(child.digest, child);
    // Removed at once, so that nothing more is leased to them; durable when both are done.
    const removed = this.#remove([...doomed.values()]);
    await this.#revoked(new Set(doomed.keys()));
    await removed;
  }

  #digest(token: string): string {
    return createHmac('sha256', String(this.#storage.get('salt')))
      .update(token)
      .digest('hex');
  }

  #living(digest: string): TokenEntry | undefined {
    const entry = fromJson(this.#entries.get(digest));
    if (!entry || entry.uses < 0) return undefined;
    return expired(entry, this.now()) || this.#orphaned(entry) ? undefined : entry;
  }

  /** A token does not outlive the one it was made with, which may have expired unseen. */
  #orphaned({ parent }: TokenEntry): boolean {
    return parent !== null && this.#living(parent) === undefined;
  }

  #all(): TokenEntry[] {
    return this.#at(this.#storage.keys(entryPrefix));
  }

  #marked(mark: string): TokenEntry[] {
    return this.#at(this.#storage.marked(mark));
  }

  #at(keys: readonly string[]): TokenEntry[] {
    return keys.flatMap((key) => fromJson(this.#storage.get(key)) ?? []);
  }

  async #put(entry: TokenEntry): Promise<TokenEntry> {
    await this.#entries.write([{ key: entry.digest, value: asJson(entry) }]);
    return entry;
  }

  async #remove(entries: readonly TokenEntry[]): Promise<void> {
    await this.#storage.write(
      entries.flatMap(({ digest, accessor }): Change[] => [
        { key: `entry/${digest}` },
        { key: `accessor/${accessor}` },
      ]),
    );
  }
}

function expired(entry: TokenEntry, now: number): boolean {
  return entry.expires !== null && entry.expires <= now;
}

/** By what tokens are found: the one that they were made with, their end, and that the service was started with one. */
function marksOf(key: string, value: Json): string[] {
  const entry = key.startsWith(entryPrefix) ? fromJson(value) : undefined;
  if (!entry) return [];
  return [
    ...(entry.parent === null ? [] : [childMark(entry.parent)]),
    ...(entry.expires === null ? [] : [endMark(entry.expires)]),
    ...(entry.startUp ? [startUpMark] : []),
  ];
}

const asJson = (entry: TokenEntry): Json => ({ ...entry }) as unknown as Json;
const fromJson = (value: Json | undefined): TokenEntry | undefined =>
  value as unknown as TokenEntry | undefined;
