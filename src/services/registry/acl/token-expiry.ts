import { filterInSlices } from '../../core/in-slices.ts';
import { deleteToken, type Token, tokens } from '../model/acl.ts';
import type { State } from '../model/tables.ts';

const intervalMs = 60_000;

/** Whether a token has expired. @param now milliseconds of the epoch */
export function isExpired({ ExpirationTime }: Token, now: number): boolean {
  return ExpirationTime !== undefined && Date.parse(ExpirationTime) <= now;
}

/**
 * Removes expired tokens. An expired token can neither be used nor read, so a check once a minute, with a request, is
 * enough.
 */
export class TokenExpiry {
  readonly #state: State;
  #nextSweep = 0;

  constructor(state: State) {
    this.#state = state;
  }

  get isDue(): boolean {
    return this.#state.now >= this.#nextSweep;
  }

  async removeExpired(): Promise<void> {
    if (!this.isDue) return;
    const { now } = this.#state;
    this.#nextSweep = now + intervalMs;
    const expired = await this.#state.read(async (view) =>
      filterInSlices(await tokens.list(view), (token) => isExpired(token, now)),
    );
    if (expired.length === 0) return;
    await this.#state.updateInSlices(function* (transaction) {
      for (const token of expired) yield deleteToken(transaction, token);
    });
  }
}
