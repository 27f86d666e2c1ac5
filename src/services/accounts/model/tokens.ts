import { createHash, timingSafeEqual } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import { base62 } from '../../core/base62.ts';
import type { Change, PagedStorage } from '../../core/store/storage.ts';

/** A stored token: by its ID, with the SHA-256 of its text, hex. Times are ISO 8601. */
export interface Token {
  readonly id: string;
  readonly hash: string;
  readonly account: string;
  readonly createdAt: string;
  /** Null: the seeded token, which the next start replaces. */
  readonly expiresAt: string | null;
}

/** Milliseconds: a week. */
const lifetimeMs = 7 * 24 * 60 * 60_000;

const tokenKey = (id: string) => `tokens/${id}`;
const accountKey = (account: string, id: string) => `account-tokens/${account}/${id}`;
const startUpKey = 'start-up-token';

/** `at_<id>_<secret>` (docs/protocol/accounts.md#logins-and-ids). */
const tokenPattern = /^(at_[0-9A-Za-z]+)_[0-9A-Za-z]+$/;

/** A fast hash is enough: a token has too much randomness to be guessed. */
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function newTokenText(random: (length: number) => Uint8Array): string {
  return `at_${base62(10, random)}_${base62(43, random)}`;
}

/** The ID in a token's text; undefined: malformed. */
export function tokenIdOf(text: string): string | undefined {
  return tokenPattern.exec(text)?.[1];
}

/** The token with a text, if it is valid. */
export function tokenOf(storage: PagedStorage, text: string, now: string): Token | undefined {
  const id = tokenIdOf(text);
  const token = id === undefined ? undefined : (storage.get(tokenKey(id)) as Token | undefined);
  if (!token || !timingSafeEqual(hashOf(text), Buffer.from(token.hash, 'hex'))) return undefined;
  return isExpired(token, now) ? undefined : token;
}

/** The token with an ID, if it has not expired. */
export function tokenById(storage: PagedStorage, id: string, now: string): Token | undefined {
  const token = storage.get(tokenKey(id)) as Token | undefined;
  return token && !isExpired(token, now) ? token : undefined;
}

/** Creates a token of an account; removes its expired ones. */
export function newToken(
  storage: PagedStorage,
  text: string,
  account: string,
  now: Date,
): { readonly token: Token; readonly changes: Change[] } {
  const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
  const token = createToken(text, account, now, expiresAt);
  const expired = tokensOf(storage, account).filter((each) => isExpired(each, now.toISOString()));
  return { token, changes: [...expired.flatMap(tokenRemoval), ...additionChanges(token)] };
}

/** Stores the seeded token, and removes the previous one. */
export function startUpChanges(storage: PagedStorage, text: string, account: string, now: Date): Change[] {
  const previousId = storage.get(startUpKey);
  const previous =
    typeof previousId === 'string' ? (storage.get(tokenKey(previousId)) as Token | undefined) : undefined;
  const token = createToken(text, account, now, null);
  return [
    ...(previous ? tokenRemoval(previous) : []),
    ...additionChanges(token),
    { key: startUpKey, value: token.id },
  ];
}

/** Removes all tokens of an account. */
export function tokenRemovals(storage: PagedStorage, account: string): Change[] {
  return tokensOf(storage, account).flatMap(tokenRemoval);
}

function createToken(text: string, account: string, now: Date, expiresAt: string | null): Token {
  const id = tokenIdOf(text) ?? '';
  return { id, hash: hashOf(text).toString('hex'), account, createdAt: now.toISOString(), expiresAt };
}

function tokensOf(storage: PagedStorage, account: string): Token[] {
  const prefix = accountKey(account, '');
  return storage
    .keys(prefix)
    .map((key) => storage.get(tokenKey(key.slice(prefix.length))) as unknown as Token);
}

function additionChanges(token: Token): Change[] {
  return [
    { key: tokenKey(token.id), value: token as unknown as Json },
    { key: accountKey(token.account, token.id), value: true },
  ];
}

export function tokenRemoval({ id, account }: Token): Change[] {
  return [{ key: tokenKey(id) }, { key: accountKey(account, id) }];
}

const isExpired = ({ expiresAt }: Token, now: string): boolean => expiresAt !== null && expiresAt <= now;
