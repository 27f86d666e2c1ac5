import { deleteToken, type Token, tokensOf } from '../state/acl.ts';
import type { State } from '../state/state.ts';

const interval = 60_000;

/** Is a token's time over? */
export function isExpired({ ExpirationTime }: Token, now: number): boolean {
  return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;
}

/**
 * Removes the tokens whose time is over. Nobody can use or see one from the moment on that it is; so it is enough
 * to look for them now and then, with a request.
 */
export class TokenExpiry {
  readonly #state: State;
  #next = 0;

  constructor(state: State) {
    this.#state = state;
  }

  async sweep(): Promise<void> {
    const { now, view } = this.#state;
    if (now < this.#next) return;
    this.#next = now + interval;
    const over = tokensOf(view).filter((token) => isExpired(token, now));
    if (over.length === 0) return;
    await this.#state.change((draft) => {
      for (const token of over) deleteToken(draft, token);
    });
  }
}
