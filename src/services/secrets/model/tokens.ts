import { createHmac } from 'node:crypto';
import type { ModelParts } from '../../core/http/http-service.ts';
import { filterInSlices, forEachInSlices, mapInSlices, sliceSize } from '../../core/in-slices.ts';
import { IndexedTable } from '../../core/store/indexed-table.ts';
import { BatchTokens, batchTokenPrefix } from './batch-tokens.ts';
import { childIndexKey, startUpIndexKey, type TokenEntry, tokenEntries } from './token-entries.ts';
import { effectiveTtl, renewedTtl, type TtlLimits } from './ttl.ts';

type TokenAttributes = Omit<TokenEntry, 'digest' | 'accessor' | 'created' | 'renewed' | 'expires'>;

const rootAttributes = {
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

interface TokenParts extends ModelParts {
  readonly namespaceId: (path: string) => string;
  /** Called with the digests of removed tokens. */
  readonly onRevoked: (digests: ReadonlySet<string>) => Promise<void>;
  /** Called when one token replaces another. */
  readonly onReplaced: (previous: string, after: string) => Promise<void>;
}

/** The tokens, looked up by a digest with a key that never leaves this storage: neither time nor rows reveal one. */
export class Tokens {
  readonly #parts: TokenParts;
  readonly #entries: IndexedTable<TokenEntry>;
  readonly #batch: BatchTokens;
  /** Tokens that are being revoked with too many others to do so at once; no token created with them is valid either. */
  readonly #ending = new Set<string>();

  constructor(parts: TokenParts) {
    this.#parts = parts;
    this.#entries = new IndexedTable(parts.storage, tokenEntries);
    this.#batch = new BatchTokens({ ...parts, digest: (text) => this.#digest(text) });
  }

  get nextExpiry(): number {
    return this.#entries.nextExpiry;
  }

  /** Creates the key for the digests. */
  async ensureSalt(): Promise<void> {
    if (this.#parts.storage.get('salt') !== undefined) return;
    const salt = Buffer.from(this.#parts.random(32)).toString('base64');
    await this.#parts.storage.write([{ key: 'salt', value: salt }]);
  }

  now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  /** Whether the token is stored, even if its uses are spent. */
  has(digest: string): boolean {
    return this.#entries.get(digest) !== undefined;
  }

  /** The entry of a token; undefined: unknown, used up or expired. */
  find(token: string): TokenEntry | undefined {
    if (!token.startsWith(batchTokenPrefix)) return this.withDigest(this.#digest(token));
    const entry = this.#batch.open(token);
    return entry && this.#isActive(entry) ? entry : undefined;
  }

  byAccessor(accessor: string): TokenEntry | undefined {
    const digest = this.#parts.storage.get(`accessor/${accessor}`);
    return typeof digest === 'string' ? this.withDigest(digest) : undefined;
  }

  withDigest(digest: string): TokenEntry | undefined {
    const entry = this.#entries.get(digest);
    return entry && this.#isActive(entry) ? entry : undefined;
  }

  newToken(): string {
    return `hvs.${Buffer.from(this.#parts.random(24)).toString('base64url')}`;
  }

  /** Creates a token of the type of its attributes. @param text of a service token; default: generated */
  async issue(attributes: TokenAttributes, text = this.newToken()) {
    if (attributes.type !== 'batch') return { text, entry: await this.create(text, attributes) };
    return this.#batch.issue({ ...attributes, created: this.now() });
  }

  /** Stores a token; resolves with its entry when it is durable. */
  async create(token: string, attributes: TokenAttributes): Promise<TokenEntry> {
    const created = this.now();
    const entry: TokenEntry = {
      ...attributes,
      digest: this.#digest(token),
      accessor: Buffer.from(this.#parts.random(18)).toString('base64url'),
      created,
      renewed: null,
      expires: attributes.ttl === 0 ? null : created + attributes.ttl,
    };
    return this.#put(entry);
  }

  /** Makes this the only startup token. Revokes the previous one, but not the tokens created with it. */
  async createStartUpToken(token: string): Promise<void> {
    const [previous] = this.#entries.withEntry(startUpIndexKey);
    const digest = this.#digest(token);
    if (previous?.digest === digest) return;
    if (previous) {
      const children = this.#entries.withEntry(childIndexKey(previous.digest));
      const moved = children.map((child) => [child.digest, { ...child, parent: digest }] as const);
      await this.#entries.write([[previous.digest, undefined], ...moved]);
    }
    await this.create(token, { ...rootAttributes, startUp: true });
    if (previous) await this.#parts.onReplaced(previous.digest, digest);
  }

  /** A root token that is never replaced. */
  async createRootToken(token: string): Promise<void> {
    await this.create(token, rootAttributes);
  }

  /** Counts a use of a token with limited uses. */
  async use(entry: TokenEntry): Promise<void> {
    if (entry.uses === 0) return;
    // -1: used up, and removed when the request is done.
    await this.#put({ ...entry, uses: entry.uses === 1 ? -1 : entry.uses - 1 });
  }

  /** The stored state of a token, of which a use may have been counted since it was found. */
  current(entry: TokenEntry): TokenEntry {
    return this.#entries.get(entry.digest) ?? entry;
  }

  /** Takes the use of another token than the caller's; resolves with false if it has none left. */
  async takeUse({ digest }: TokenEntry): Promise<boolean> {
    const entry = this.withDigest(digest);
    if (entry) await this.use(entry);
    return entry !== undefined;
  }

  /** Removes a token without uses left. */
  async revokeIfUsedUp(entry: TokenEntry): Promise<void> {
    if (entry.uses === 1) await this.revoke(entry);
  }

  /**
   * Sets the remaining lifetime to the increment in seconds (0: to the ttl of a login, or the last lifetime of a
   * created token) or to the period, within its limits. @throws SecretsError 400: the maximum lifetime has passed
   */
  async renew(entry: TokenEntry, increment: number, limits: TtlLimits) {
    const now = this.now();
    const { ttl, warnings } = effectiveTtl(limits, {
      ttl: increment || renewedTtl(entry),
      period: entry.period,
      max: entry.roleMaxTtl,
      explicitMax: entry.maxTtl,
      age: now - entry.created,
    });
    return { renewed: await this.#put({ ...entry, renewed: now, expires: now + ttl }), warnings };
  }

  /** The tokens that can be used; batch tokens are not stored. */
  async valid(): Promise<TokenEntry[]> {
    return filterInSlices(await this.#entries.list(), ({ digest }) => this.withDigest(digest) !== undefined);
  }

  /** Revokes a token and all tokens created with it. */
  async revoke(entry: TokenEntry): Promise<void> {
    await this.revokeAll([entry]);
  }

  /** Revokes a token; the tokens created with it become orphans. */
  async revokeOrphan(entry: TokenEntry): Promise<void> {
    const children = this.#entries.withEntry(childIndexKey(entry.digest));
    await this.#entries.write(children.map((child) => [child.digest, { ...child, parent: null }]));
    await this.revokeAll([entry]);
  }

  async revokeWhere(predicate: (entry: TokenEntry) => boolean): Promise<void> {
    await this.revokeAll(await filterInSlices(await this.#entries.list(), predicate));
  }

  async removeExpired(): Promise<void> {
    await this.#entries.forEachExpired(this.now(), (entries) => this.revokeAll(entries));
  }

  async revokeAll(entries: readonly TokenEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const toRevoke = new Set(entries.map(({ digest }) => digest));
    const gathering = this.#gatherChildren(toRevoke);
    while (toRevoke.size < sliceSize) {
      if (!gathering.next().done) continue;
      // Removed immediately, so that no more leases are bound to them; durable when both are done.
      const removed = this.#entries.write([...toRevoke].map((digest) => [digest, undefined]));
      await this.#parts.onRevoked(toRevoke);
      await removed;
      return;
    }
    for (const { digest } of entries) this.#ending.add(digest);
    try {
      await forEachInSlices(gathering, () => {});
      await this.#entries.write(await mapInSlices(toRevoke, (digest) => [digest, undefined] as const));
      await this.#parts.onRevoked(toRevoke);
    } finally {
      for (const { digest } of entries) this.#ending.delete(digest);
    }
  }

  /** Adds the tokens created with tokens, one with each step. */
  *#gatherChildren(digests: Set<string>): Generator<void> {
    // The iteration of a set includes elements that are added during it.
    for (const digest of digests) {
      for (const child of this.#entries.keysWithEntry(childIndexKey(digest))) yield void digests.add(child);
      yield;
    }
  }

  #digest(token: string): string {
    return createHmac('sha256', String(this.#parts.storage.get('salt')))
      .update(token)
      .digest('hex');
  }

  /** Whether it has uses left. A token does not outlive its parent, which may have expired unnoticed. */
  #isActive(entry: TokenEntry): boolean {
    const isExpired = entry.expires !== null && entry.expires <= this.now();
    if (entry.uses < 0 || isExpired || this.#ending.has(entry.digest)) return false;
    return entry.parent === null || this.withDigest(entry.parent) !== undefined;
  }

  async #put(entry: TokenEntry): Promise<TokenEntry> {
    await this.#entries.write([[entry.digest, entry]]);
    return entry;
  }
}
