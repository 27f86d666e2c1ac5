import { base62 } from '../../core/base62.ts';
import type { ModelParts } from '../../core/http/http-service.ts';
import { allInSlices, filterInSlices, forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { IndexedTable } from '../../core/store/indexed-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import type { EngineResponse } from '../engine.ts';
import { badRequest, permissionDenied } from '../errors.ts';
import type { Mount } from './mounts.ts';
import { namesBelow } from './names-below.ts';
import { orUndo } from './or-undo.ts';
import type { TokenEntry } from './token-entries.ts';

/** A stored lease. Times are unix seconds. */
const leases = table('', {
  id: s.string(),
  /** Path of the namespace, with a trailing slash; empty for the root namespace. */
  namespace: s.string(),
  mount: s.string(),
  mountUuid: s.string(),
  /** Digest of the token that it belongs to; empty: an orphan batch token. */
  token: s.string(),
  issued: s.number(),
  expires: s.number(),
  internal: s.json(),
}).with({ index: ({ token }) => [token], expires: ({ expires }) => expires });
export type Lease = RowOf<typeof leases>;

interface LeaseParts extends ModelParts {
  /** The mount of a namespace with this UUID, if it exists; it was at the path when the lease was created. */
  readonly mountAt: (namespace: string, path: string, uuid: string) => Mount | undefined;
  /** Whether a token with this digest exists. */
  readonly tokenExists: (digest: string) => boolean;
}

interface Origin {
  readonly namespace: { readonly path: string; readonly id: string };
  readonly mount: Mount;
  /** Relative to the mount. */
  readonly path: string;
  readonly token: TokenEntry;
}

/** Credentials for a limited time, bound to a token. When a lease, its token or mount ends, the engine revokes them. */
export class Leases {
  readonly #parts: LeaseParts;
  readonly #leases: IndexedTable<Lease>;
  /** Removed tokens with leases that could not be revoked. */
  readonly #pending = new Set<string>();

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#leases = new IndexedTable(parts.storage, leases);
  }

  get nextExpiry(): number {
    return this.#leases.nextExpiry;
  }

  now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  /** Stores a lease and returns its ID; else revokes the credentials. @throws SecretsError 400: the last use; 403: no token */
  async create(origin: Origin, { duration, internal }: NonNullable<EngineResponse['lease']>) {
    const { namespace, mount, path, token } = origin;
    const owner = ownerOf(token);
    const revokeSecret = async () => mount.backend.revoke?.(internal);
    if (token.uses === 1 || !this.#parts.tokenExists(owner)) {
      await revokeSecret();
      if (token.uses !== 1) throw permissionDenied();
      throw badRequest(
        'Secret cannot be returned; token had one use left, so leased credentials were immediately revoked.',
      );
    }
    const suffix = namespace.path === '' ? '' : `.${namespace.id}`;
    const issued = this.now();
    const lease: Lease = {
      id: `${mount.path}${path}/${base62(24, this.#parts.random)}${suffix}`,
      namespace: namespace.path,
      mount: mount.path,
      mountUuid: mount.entry.uuid,
      token: owner,
      issued,
      expires: issued + duration,
      internal,
    };
    await orUndo(() => this.#put([lease]), revokeSecret);
    return lease.id;
  }

  /** A lease of a namespace; undefined: unknown or expired. */
  find(namespace: string, id: string): Lease | undefined {
    const lease = this.#leases.get(id);
    return lease?.namespace === namespace && lease.expires > this.now() ? lease : undefined;
  }

  /** The names directly below a prefix of lease IDs; a name with others below it ends in a slash. */
  async listNames(namespace: string, prefix: string): Promise<string[]> {
    const below = await this.#withPrefix(namespace, prefix);
    return namesBelow(prefix, await mapInSlices(below, ({ id }) => id));
  }

  /** Revokes a lease: the engine revokes its credentials. */
  async revoke(lease: Lease): Promise<void> {
    const mount = this.#parts.mountAt(lease.namespace, lease.mount, lease.mountUuid);
    if (mount?.entry.uuid === lease.mountUuid) await mount.backend.revoke?.(lease.internal);
    await this.#leases.write([[lease.id, undefined]]);
  }

  async revokePrefix(namespace: string, prefix: string): Promise<void> {
    await this.#revokeAll(await this.#withPrefix(namespace, prefix));
  }

  async revokeForTokens(tokens: ReadonlySet<string>): Promise<void> {
    try {
      const leases: Lease[] = [];
      await forEachInSlices(tokens, (token) => leases.push(...this.#leases.withEntry(token)));
      await this.#revokeAll(leases);
    } catch (error) {
      for (const token of tokens) this.#pending.add(token);
      throw error;
    }
  }

  /** Binds the leases of a token to the token that replaced it. */
  async moveToToken(oldToken: string, newToken: string): Promise<void> {
    const bound = this.#leases.withEntry(oldToken);
    await this.#put(bound.map((lease) => ({ ...lease, token: newToken })));
  }

  /** Revokes leases whose token was lost in a crash, and expired ones. */
  async load(): Promise<void> {
    const all = await this.#leases.list();
    await this.#revokeAll(await filterInSlices(all, ({ token }) => !this.#parts.tokenExists(token)));
    await this.removeExpired();
  }

  /** Revokes expired leases, and those that could not be revoked with their token. */
  async removeExpired(): Promise<void> {
    const pending = [...this.#pending].filter((token) => !this.#parts.tokenExists(token));
    this.#pending.clear();
    await Promise.all([
      this.revokeForTokens(new Set(pending)),
      this.#leases.forEachExpired(this.now(), (leases) => this.#revokeAll(leases)),
    ]);
  }

  async #revokeAll(leases: readonly Lease[]): Promise<void> {
    await allInSlices(leases, (lease) => this.revoke(lease));
  }

  async #withPrefix(namespace: string, prefix: string): Promise<Lease[]> {
    return filterInSlices(await this.#leases.list(prefix), (lease) => lease.namespace === namespace);
  }

  async #put(leases: readonly Lease[]): Promise<void> {
    if (leases.length > 0) await this.#leases.write(leases.map((lease) => [lease.id, lease]));
  }
}

/** The token with which leases are revoked: the parent of a batch token, which cannot be revoked itself. */
function ownerOf({ type, digest, parent }: TokenEntry): string {
  return type === 'batch' ? (parent ?? '') : digest;
}

/** A lease that does not outlive its batch token; leases of other tokens are revoked with the token. */
export function limitToToken<Limited extends { readonly duration: number }>(
  lease: Limited,
  { type, expires }: TokenEntry,
  now: Date,
): Limited {
  if (type !== 'batch' || expires === null) return lease;
  const remaining = expires - Math.floor(now.getTime() / 1000);
  return { ...lease, duration: Math.min(lease.duration, remaining) };
}
