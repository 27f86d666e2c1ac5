import type { Kind } from '../errors.ts';

/** What a service reports about a token. */
export interface TokenCheck {
  readonly token: 'valid' | 'not accepted' | 'expired' | 'access control is off' | 'not checked';
  /** ISO 8601; null: no end, or not known. */
  readonly validUntil: string | null;
  /** Why the token is not valid, or could not be checked. */
  readonly problem: string | null;
  /** The kind of failure that a token is which cannot be used; null: it can. */
  readonly kind: Kind | null;
  /** The service responded, and took the caller for one without a token, or for another one. */
  readonly isAnonymous: boolean;
  /** The token is not one of management: the scheduler leaves out of lists what it may not see, without a word. */
  readonly isLimited?: boolean;
}

export const unproven = { validUntil: null, problem: null, kind: null, isAnonymous: false } as const;

export const notAccepted = (problem: string, isAnonymous = false): TokenCheck => ({
  ...unproven,
  token: 'not accepted',
  problem,
  kind: 'unauthenticated',
  isAnonymous,
});

export const notChecked = (problem: string, kind: Kind | null = null): TokenCheck => ({
  ...unproven,
  token: 'not checked',
  problem,
  kind,
});

/** No token is needed or checked. */
export const accessControlOff: TokenCheck = { ...unproven, token: 'access control is off' };
