import { createHash, timingSafeEqual } from 'node:crypto';
import { base62 } from '../../core/base62.ts';
import * as s from '../../core/store/schema.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';

/** A stored token, with the SHA-256 of its text, hex. Times are ISO 8601. */
export const tokens = table('tokens/', {
  id: s.string,
  hash: s.string,
  account: s.string,
  createdAt: s.string,
  /** Null: the startup token, which the next start replaces. */
  expiresAt: s.nullable(s.string),
}).with({ lookups: ({ account, id }) => [{ key: accountKey(account, id), value: true }] });
export type Token = RowOf<typeof tokens>;

/** Lifetime of a token in milliseconds: a week. */
const lifetimeMs = 7 * 24 * 60 * 60_000;

const accountKey = (account: string, id: string) => `account-tokens/${account}/${id}`;
const startUpKey = 'start-up-token';

/** `at_<id>_<secret>` (docs/protocol/accounts.md#logins-and-ids). */
const tokenPattern = /^(at_[0-9A-Za-z]+)_[0-9A-Za-z]+$/;

/** A token is too random to guess: a fast hash is enough. */
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function newTokenText(random: (length: number) => Uint8Array): string {
  return `at_${base62(10, random)}_${base62(43, random)}`;
}

/** The ID in a token's text; undefined: not a token. */
export function tokenIdOf(text: string): string | undefined {
  return tokenPattern.exec(text)?.[1];
}

/** The token of a text, if it is valid now. */
export function tokenOf(storage: Storage, text: string, now: string): Token | undefined {
  const id = tokenIdOf(text);
  const token = id === undefined ? undefined : tokens.get(storage, id);
  if (!token || !timingSafeEqual(hashOf(text), Buffer.from(token.hash, 'hex'))) return undefined;
  return isExpired(token, now) ? undefined : token;
}

/** The token with an ID, if it has not expired. */
export function tokenById(storage: Storage, id: string, now: string): Token | undefined {
  const token = tokens.get(storage, id);
  return token && !isExpired(token, now) ? token : undefined;
}

/** A new token of an account, and the changes that store it and remove expired ones. */
export function newToken(
  storage: Storage,
  text: string,
  account: string,
  now: Date,
): { readonly token: Token; readonly changes: Change[] } {
  const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
  const token = createToken(text, account, now, expiresAt);
  const expired = tokensOf(storage, account).filter((each) => isExpired(each, now.toISOString()));
  return {
    token,
    changes: [...expired.flatMap(tokenRemoval), ...tokens.replace(token.id, undefined, token)],
  };
}

/** The changes that make a token the only startup token. */
export function startUpChanges(storage: Storage, text: string, account: string, now: Date): Change[] {
  const previousId = storage.get(startUpKey);
  const previous = typeof previousId === 'string' ? tokens.get(storage, previousId) : undefined;
  const token = createToken(text, account, now, null);
  return [
    ...(previous ? tokenRemoval(previous) : []),
    ...tokens.replace(token.id, undefined, token),
    { key: startUpKey, value: token.id },
  ];
}

/** The changes that remove all tokens of an account. */
export function tokenRemovals(storage: Storage, account: string): Change[] {
  return tokensOf(storage, account).flatMap(tokenRemoval);
}

function createToken(text: string, account: string, now: Date, expiresAt: string | null): Token {
  const id = tokenIdOf(text) ?? '';
  return { id, hash: hashOf(text).toString('hex'), account, createdAt: now.toISOString(), expiresAt };
}

function tokensOf(storage: Storage, account: string): Token[] {
  const prefix = accountKey(account, '');
  return storage.keys(prefix).flatMap((key) => tokens.get(storage, key.slice(prefix.length)) ?? []);
}

export const tokenRemoval = (token: Token): Change[] => tokens.replace(token.id, token, undefined);

const isExpired = ({ expiresAt }: Token, now: string): boolean => expiresAt !== null && expiresAt <= now;
