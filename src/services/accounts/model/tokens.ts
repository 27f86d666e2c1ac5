import { createHash, timingSafeEqual } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import { base62 } from '../../core/base62.ts';
import type { Change, Storage } from '../../core/store/storage.ts';

/** A token as it is kept: by its id, with the SHA-256 of its text, hex. Times are ISO 8601. */
export interface Token {
  readonly id: string;
  readonly hash: string;
  readonly account: string;
  readonly createdAt: string;
  /** Null: with the process that it was made for, whose next start replaces it. */
  readonly expiresAt: string | null;
}

/** Milliseconds that a token is good for: a week. */
const lifetimeMs = 7 * 24 * 60 * 60_000;

const tokenKey = (id: string) => `tokens/${id}`;
const accountKey = (account: string, id: string) => `account-tokens/${account}/${id}`;
const startUpKey = 'start-up-token';

/** `at_<id>_<secret>` (docs/protocol/accounts.md#logins-and-ids). */
const tokenPattern = /^(at_[0-9A-Za-z]+)_[0-9A-Za-z]+$/;

/** A token has more randomness than can be tried: its hash need not be costly. */
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function newTokenText(random: (length: number) => Uint8Array): string {
  return `at_${base62(10, random)}_${base62(43, random)}`;
}

/** The id in a token's text; undefined: it is none. */
export function tokenIdOf(text: string): string | undefined {
  return tokenPattern.exec(text)?.[1];
}

/** The token of a text, if it is good now. */
export function tokenOf(storage: Storage, text: string, now: string): Token | undefined {
  const id = tokenIdOf(text);
  const token = id === undefined ? undefined : (storage.get(tokenKey(id)) as Token | undefined);
  if (!token || !timingSafeEqual(hashOf(text), Buffer.from(token.hash, 'hex'))) return undefined;
  return isExpired(token, now) ? undefined : token;
}

/** The token with an id, if its time is not over. */
export function tokenById(storage: Storage, id: string, now: string): Token | undefined {
  const token = storage.get(tokenKey(id)) as Token | undefined;
  return token && !isExpired(token, now) ? token : undefined;
}

/** A token of an account; those of it that are over go. */
export function newToken(
  storage: Storage,
  text: string,
  account: string,
  now: Date,
): { readonly token: Token; readonly changes: Change[] } {
  const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
  const token = createToken(text, account, now, expiresAt);
  const expired = tokensOf(storage, account).filter((each) => isExpired(each, now.toISOString()));
  return { token, changes: [...expired.flatMap(tokenRemoval), ...additionChanges(token)] };
}

/** Makes a token the one that the service starts with, in place of that of the last time. */
export function startUpChanges(storage: Storage, text: string, account: string, now: Date): Change[] {
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
export function tokenRemovals(storage: Storage, account: string): Change[] {
  return tokensOf(storage, account).flatMap(tokenRemoval);
}

function createToken(text: string, account: string, now: Date, expiresAt: string | null): Token {
  const id = tokenIdOf(text) ?? '';
  return { id, hash: hashOf(text).toString('hex'), account, createdAt: now.toISOString(), expiresAt };
}

function tokensOf(storage: Storage, account: string): Token[] {
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
