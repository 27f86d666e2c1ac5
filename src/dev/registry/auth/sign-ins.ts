import { hashOf } from '../state/acl.ts';

/** A person who was sent to a provider and is waited for. */
export interface SignIn {
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

const lifetime = 5 * 60_000;
const most = 1_000;

/**
 * Those who are waited for, by the hash of the state that they come back with. Each is waited for once, for five
 * minutes; where too many are, the first who were sent are waited for no longer. They are not kept over a restart.
 */
export class SignIns {
  readonly #waiting = new Map<string, { readonly signIn: SignIn; readonly until: number }>();

  /** @param now milliseconds of the epoch */
  begin(state: string, signIn: SignIn, now: number): void {
    for (const [key, { until }] of this.#waiting) if (until <= now) this.#waiting.delete(key);
    const [first] = this.#waiting.keys();
    if (first !== undefined && this.#waiting.size >= most) this.#waiting.delete(first);
    this.#waiting.set(hashOf(state), { signIn, until: now + lifetime });
  }

  /** Who comes back with a state, and no second time; undefined: nobody is waited for with it. */
  end(state: string, now: number): SignIn | undefined {
    const key = hashOf(state);
    const found = this.#waiting.get(key);
    this.#waiting.delete(key);
    return found && found.until > now ? found.signIn : undefined;
  }
}
