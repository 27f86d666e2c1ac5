import type { Json } from '../../wire/json.ts';
import { base62 } from '../base62.ts';
import type { Storage } from '../storage.ts';
import { type EngineResponse, Refusal } from './engine.ts';
import { eachEnded, endMark, firstEnd, MarkedStorage } from './marked.ts';
import type { Mount } from './mounts.ts';
import type { Mortal } from './reaper.ts';
import { denied } from './refusals.ts';
import type { TokenEntry } from './tokens.ts';

/** A stored lease. Times are unix seconds. */
export interface Lease {
  readonly id: string;
  /** Path of the namespace, with a trailing slash; empty for the root namespace. */
  readonly namespace: string;
  readonly mount: string;
  readonly mountUuid: string;
  /** Digest of the token that it belongs to. */
  readonly token: string;
  readonly issued: number;
  readonly expires: number;
  readonly internal: Json;
}

interface LeaseParts {
  readonly storage: Storage;
  readonly random: (length: number) => Uint8Array;
  readonly clock: () => Date;
  /** The mount at a path of a namespace, if it exists. */
  readonly mountAt: (namespace: string, path: string) => Mount | undefined;
  /** Whether a token with this digest exists. */
  readonly tokenExists: (digest: string) => boolean;
}

/** The path and token of a lease. */
interface Origin {
  readonly namespace: { readonly path: string; readonly id: string };
  readonly mount: Mount;
  /** Relative to the mount. */
  readonly path: string;
  readonly token: TokenEntry;
}

/**
 * The leases: credentials that engines issued for a limited time, bound to a token. A lease ends when it
 * expires or is revoked, or with its token or its mount; the engine then revokes the credentials.
 */
export class Leases implements Mortal {
  readonly #parts: LeaseParts;
  readonly #storage: MarkedStorage;
  /** Removed tokens with leases that could not be revoked. */
  readonly #left = new Set<string>();

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#storage = new MarkedStorage(parts.storage, marksOf);
  }

  get due(): number {
    return firstEnd(this.#storage);
  }

  now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  /**
   * Stores a lease: `<mount>/<path>/<24 letters and digits>`, followed by a period and the namespace's ID
   * outside the root namespace. If it cannot be stored, the credentials are revoked.
   * @throws Refusal 400: the token has no use left for the lease to depend on; 403: the token no longer
   * exists
   */
  async create(
    origin: Origin,
    { duration, internal }: NonNullable<EngineResponse['lease']>,
  ): Promise<string> {
    const { namespace, mount, path, token } = origin;
    const takeBack = async () => mount.backend.revoke?.(internal);
    if (token.uses === 1 || !this.#parts.tokenExists(token.digest)) {
      await takeBack();
      if (token.uses !== 1) throw denied();
      throw new Refusal(
        400,
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
      token: token.digest,
      issued,
      expires: issued + duration,
      internal,
    };
    try {
      await this.#put([lease]);
    } catch (error) {
      await takeBack();
      throw error;
    }
    return lease.id;
  }

  /** A lease of a namespace; undefined: unknown or expired. */
  find(namespace: string, id: string): Lease | undefined {
    const lease = this.#get(id);
    return lease?.namespace === namespace && lease.expires > this.now() ? lease : undefined;
  }

  /** The names directly below a prefix of lease IDs; a name with others below it ends in a slash. */
  names(namespace: string, prefix: string): string[] {
    const names = this.#below(namespace, prefix).map(({ id }) => {
      const [name = '', ...more] = id.slice(prefix.length).split('/');
      return more.length === 0 ? name : `${name}/`;
    });
    return [...new Set(names)];
  }

  /** Revokes a lease: the engine revokes its credentials. */
  async revoke(lease: Lease): Promise<void> {
    const mount = this.#parts.mountAt(lease.namespace, lease.mount);
    if (mount?.entry.uuid === lease.mountUuid) await mount.backend.revoke?.(lease.internal);
    await this.#storage.write([{ key: lease.id }]);
  }

  async revokePrefix(namespace: string, prefix: string): Promise<void> {
    await this.#revokeAll(this.#below(namespace, prefix));
  }

  /** Revokes the leases of tokens. */
  async revokeOf(tokens: ReadonlySet<string>): Promise<void> {
    try {
      await this.#revokeAll([...tokens].flatMap((token) => this.#of(token)));
    } catch (error) {
      for (const token of tokens) this.#left.add(token);
      throw error;
    }
  }

  /** Binds the leases of a token to the token that replaced it. */
  async rebind(before: string, after: string): Promise<void> {
    const bound = this.#of(before);
    await this.#put(bound.map((lease) => ({ ...lease, token: after })));
  }

  /** Revokes leases whose token was lost in a crash, and expired ones. */
  async begin(): Promise<void> {
    const all = this.#at(this.#storage.keys(''));
    await this.#revokeAll(all.filter(({ token }) => !this.#parts.tokenExists(token)));
    await this.tidy();
  }

  /** Revokes expired leases, and those that could not be revoked with their token. */
  async tidy(): Promise<void> {
    const left = [...this.#left].filter((token) => !this.#parts.tokenExists(token));
    this.#left.clear();
    await Promise.all([
      this.revokeOf(new Set(left)),
      eachEnded(this.#storage, this.now(), (ids) => this.#revokeAll(this.#at(ids))),
    ]);
  }

  async #revokeAll(leases: readonly Lease[]): Promise<void> {
    await Promise.all(leases.map((lease) => this.revoke(lease)));
  }

  #below(namespace: string, prefix: string): Lease[] {
    return this.#at(this.#storage.keys(prefix)).filter((lease) => lease.namespace === namespace);
  }

  #of(token: string): Lease[] {
    return this.#at(this.#storage.marked(tokenMark(token)));
  }

  #at(ids: readonly string[]): Lease[] {
    return ids.flatMap((id) => this.#get(id) ?? []);
  }

  #get(id: string): Lease | undefined {
    return this.#storage.get(id) as unknown as Lease | undefined;
  }

  async #put(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.#storage.write(
      leases.map((lease) => ({ key: lease.id, value: { ...lease } as unknown as Json })),
    );
  }
}

const tokenMark = (token: string): string => `token/${token}`;

/** Index entries of a lease: its token and its expiry. */
function marksOf(_id: string, value: Json): string[] {
  const { expires, token } = value as unknown as Lease;
  return [tokenMark(token), endMark(expires)];
}
