import { hashOf } from '../model/acl.ts';

/** A person who was sent to a provider and is waited for. */
export interface PendingLogin {
  readonly method: string;
  readonly redirect: string;
  /** The hash of what the client that asked made up. */
  readonly clientNonce: string;
  /** What the ID token must repeat. */
  readonly nonce: string;
  /** What proves to the provider that it was this service that sent the person; undefined: it does not ask. */
  readonly verifier: string | undefined;
  readonly meta: { readonly [name: string]: string } | null;
}

const lifetimeMs = 5 * 60_000;
const maxPending = 1_000;

/**
 * Those who are waited for, by the hash of the state that they come back with. Each is waited for once, for five
 * minutes; where too many are, the first who were sent are waited for no longer. They are not kept over a restart.
 */
export class PendingLogins {
  readonly #pending = new Map<string, { readonly login: PendingLogin; readonly expires: number }>();

  /** @param now milliseconds of the epoch */
  add(state: string, login: PendingLogin, now: number): void {
    for (const [key, { expires }] of this.#pending) if (expires <= now) this.#pending.delete(key);
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined && this.#pending.size >= maxPending) this.#pending.delete(oldest);
    this.#pending.set(hashOf(state), { login, expires: now + lifetimeMs });
  }

  /** Who comes back with a state, and no second time; undefined: nobody is waited for with it. */
  take(state: string, now: number): PendingLogin | undefined {
    const key = hashOf(state);
    const entry = this.#pending.get(key);
    this.#pending.delete(key);
    return entry && entry.expires > now ? entry.login : undefined;
  }
}
