import type { Json } from '../../wire/json.ts';
import { base62 } from '../base62.ts';
import type { Storage } from '../storage.ts';
import { type EngineResponse, Refusal } from './engine.ts';
import type { Mount } from './mounts.ts';
import type { Mortal } from './reaper.ts';
import { denied } from './refusals.ts';
import type { TokenEntry } from './tokens.ts';

/** A lease as it is kept. Times are unix seconds. */
export interface Lease {
  readonly id: string;
  /** Path of the namespace, with a slash at the end; empty for the root namespace. */
  readonly namespace: string;
  readonly mount: string;
  readonly mountUuid: string;
  /** Digest of the token that it was given to. */
  readonly token: string;
  readonly issued: number;
  readonly expires: number;
  readonly internal: Json;
}

interface LeaseParts {
  readonly storage: Storage;
  readonly random: (length: number) => Uint8Array;
  readonly clock: () => Date;
  /** The mount at a path of a namespace, while it is there. */
  readonly mountAt: (namespace: string, path: string) => Mount | undefined;
  /** Is there still a token of this digest? */
  readonly tokenExists: (digest: string) => boolean;
}

/** What a lease is of, and whose. */
interface Origin {
  readonly namespace: { readonly path: string; readonly id: string };
  readonly mount: Mount;
  /** Below the mount. */
  readonly path: string;
  readonly token: TokenEntry;
}

/**
 * The leases: what engines gave for a time, bound to the token that it was given to. A lease ends when it
 * expires or is revoked, or with its token or its mount; the engine then takes back what it gave.
 */
export class Leases implements Mortal {
  readonly #parts: LeaseParts;
  #due = Number.POSITIVE_INFINITY;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  get due(): number {
    return this.#due;
  }

  now(): number {
    return Math.floor(this.#parts.clock().getTime() / 1000);
  }

  /**
   * Keeps a lease: `<mount>/<path>/<24 letters and digits>`, with the namespace's ID behind a period where it
   * is not the root namespace. If it cannot be kept, what it is of is taken back.
   * @throws Refusal 400: the token has no use left that the lease could live on; 403: the token is gone
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
    this.#due = Math.min(this.#due, lease.expires);
    return lease.id;
  }

  /** The lease of a namespace; undefined: there is none, or it is over. */
  find(namespace: string, id: string): Lease | undefined {
    const lease = this.#get(id);
    return lease?.namespace === namespace && lease.expires > this.now() ? lease : undefined;
  }

  /** What is directly below a prefix of lease IDs; a name that goes on ends in a slash. */
  names(namespace: string, prefix: string): string[] {
    const names = this.#below(namespace, prefix).map(({ id }) => {
      const [name = '', ...more] = id.slice(prefix.length).split('/');
      return more.length === 0 ? name : `${name}/`;
    });
    return [...new Set(names)];
  }

  /** Ends a lease: the engine takes back what it gave. */
  async revoke(lease: Lease): Promise<void> {
    const mount = this.#parts.mountAt(lease.namespace, lease.mount);
    if (mount?.entry.uuid === lease.mountUuid) await mount.backend.revoke?.(lease.internal);
    await this.#parts.storage.write([{ key: lease.id }]);
  }

  async revokePrefix(namespace: string, prefix: string): Promise<void> {
    await this.#revokeAll(this.#below(namespace, prefix));
  }

  /** Ends the leases of tokens. */
  async revokeOf(tokens: ReadonlySet<string>): Promise<void> {
    await this.#revokeAll(this.#all().filter(({ token }) => tokens.has(token)));
  }

  /** Binds the leases of one token to another that took its place. */
  async rebind(before: string, after: string): Promise<void> {
    const bound = this.#all().filter(({ token }) => token === before);
    await this.#put(bound.map((lease) => ({ ...lease, token: after })));
  }

  /** Ends what has expired, and what a token left behind that a crash took. */
  async tidy(): Promise<void> {
    const now = this.now();
    const over = ({ expires, token }: Lease) => expires <= now || !this.#parts.tokenExists(token);
    await this.#revokeAll(this.#all().filter(over));
    this.#due = this.#all().reduce(
      (first, { expires }) => Math.min(first, expires),
      Number.POSITIVE_INFINITY,
    );
  }

  async #revokeAll(leases: readonly Lease[]): Promise<void> {
    await Promise.all(leases.map((lease) => this.revoke(lease)));
  }

  #below(namespace: string, prefix: string): Lease[] {
    return this.#parts.storage
      .keys(prefix)
      .flatMap((id) => this.#get(id) ?? [])
      .filter((lease) => lease.namespace === namespace);
  }

  #all(): Lease[] {
    return this.#parts.storage.keys('').flatMap((id) => this.#get(id) ?? []);
  }

  #get(id: string): Lease | undefined {
    return this.#parts.storage.get(id) as unknown as Lease | undefined;
  }

  async #put(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.#parts.storage.write(
      leases.map((lease) => ({ key: lease.id, value: { ...lease } as unknown as Json })),
    );
  }
}
