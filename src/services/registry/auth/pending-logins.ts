import { hashOf } from '../model/acl.ts';

/** A login for which the user was redirected to a provider. */
export interface PendingLogin {
  readonly method: string;
  readonly redirect: string;
  readonly clientNonce: string;
  readonly nonce: string;
  /** The PKCE verifier; undefined: not supported. */
  readonly verifier: string | undefined;
  readonly meta: { readonly [name: string]: string } | null;
}

const lifetimeMs = 5 * 60_000;
const maxPending = 1_000;

/**
 * Pending logins, by the hash of the state. Each is valid once, for five minutes; above the maximum the oldest ones
 * are dropped. They are not stored.
 */
export class PendingLogins {
  readonly #pending = new Map<string, { readonly login: PendingLogin; readonly expires: number }>();

  /** @param now milliseconds since the epoch */
  add(state: string, login: PendingLogin, now: number): void {
    for (const [key, { expires }] of this.#pending) if (expires <= now) this.#pending.delete(key);
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined && this.#pending.size >= maxPending) this.#pending.delete(oldest);
    this.#pending.set(hashOf(state), { login, expires: now + lifetimeMs });
  }

  /** Removes and returns the login with a state; undefined: none. */
  take(state: string, now: number): PendingLogin | undefined {
    const key = hashOf(state);
    const entry = this.#pending.get(key);
    this.#pending.delete(key);
    return entry && entry.expires > now ? entry.login : undefined;
  }
}
