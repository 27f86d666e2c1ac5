import { createHash, timingSafeEqual } from 'node:crypto';
import { base62 } from '../../core/base62.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import { type ChangeBatch, readBatchSize, writeBatch } from './change-log.ts';
import { actions, scopeInfo } from './fields.ts';
import { globalScope } from './scopes.ts';

export const tokenFields = {
  ...s.each(['id', 'scope_id', 'user_id', 'auth_method_id', 'account_id'], s.string()),
  ...s.each(['created_time', 'updated_time', 'approximate_last_used_time'], s.time()),
  expiration_time: s.omitEmpty(s.nullable(s.time('Missing: the token does not expire.'))),
};

export const authTokenSchema = s.named(
  'AuthToken',
  s.object({ ...tokenFields, scope: scopeInfo, authorized_actions: actions }),
);

/** A stored token, with the SHA-256 of its text, hex. Times are ISO 8601. */
export const tokens = table('tokens/', {
  id: s.string(),
  hash: s.string(),
  account: s.string(),
  createdAt: s.string(),
  /** Null: the startup token, which the next start replaces. */
  expiresAt: s.nullable(s.string()),
  /** The scope of the auth method, and the sequence number of the creation; missing in data of earlier releases. */
  scope: s.optional(s.string()),
  created: s.optional(s.number()),
}).with({ lookups: ({ account, id }) => [{ key: accountKey(account, id), value: true }] });
export type Token = RowOf<typeof tokens>;

export const tokenCollection = (scope: string): string => `auth-tokens/${scope}`;

export const scopeOfToken = ({ scope = globalScope }: Token): string => scope;

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

/** Adds a new token of an account, and removes its expired ones: of many, some, beginning after a random place. */
export function addToken(batch: ChangeBatch, text: string, owner: TokenOwner, now: Date): Token {
  const isMany = tokensOf(batch.storage, owner.account, readBatchSize + 1).length > readBatchSize;
  const examined = tokensOf(
    batch.storage,
    owner.account,
    readBatchSize,
    isMany ? tokenIdOf(text) : undefined,
  );
  const expired = examined.filter((each) => isExpired(each, now.toISOString()));
  for (const each of expired) removeToken(batch, each, now);
  return createToken(batch, text, owner, {
    now,
    expiresAt: new Date(now.getTime() + lifetimeMs).toISOString(),
  });
}

/** Adds a token without expiry, which replaces the token of the last start if it is another one. */
export function addStartUpToken(batch: ChangeBatch, text: string, owner: TokenOwner, now: Date): void {
  const previousId = batch.storage.get(startUpKey);
  const previous = typeof previousId === 'string' ? tokens.get(batch.storage, previousId) : undefined;
  if (previous?.hash === hashOf(text).toString('hex')) return;
  if (previous) removeToken(batch, previous, now);
  const token = createToken(batch, text, owner, { now, expiresAt: null });
  batch.add({ key: startUpKey, value: token.id });
}

/** Removes all tokens of an account. */
export function removeTokens(batch: ChangeBatch, account: string, now: Date): void {
  for (const token of tokensOf(batch.storage, account)) removeToken(batch, token, now);
}

/** Removes tokens of an account in batches until no more than a batch is left, which is removed with something else. */
export async function removeMostTokens(storage: Storage, account: string, now: Date): Promise<void> {
  for (;;) {
    const found = tokensOf(storage, account, readBatchSize + 1);
    if (found.length <= readBatchSize) return;
    await writeBatch(storage, (batch) => {
      for (const token of found) removeToken(batch, token, now);
    });
    await yieldToEventLoop();
  }
}

export function removeToken(batch: ChangeBatch, token: Token, now: Date): void {
  const { id, created = 0 } = token;
  batch.recordRemoval(tokenCollection(scopeOfToken(token)), { id, created, changed: created }, now);
  batch.add(...tokens.replace(id, token, undefined));
}

export type TokenOwner = { readonly account: string; readonly scope: string };

function createToken(
  batch: ChangeBatch,
  text: string,
  { account, scope }: TokenOwner,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: string | null },
): Token {
  const id = tokenIdOf(text) ?? '';
  const createdAt = now.toISOString();
  const created = batch.recordChange(tokenCollection(scope), { id, updatedAt: createdAt }, undefined);
  const hash = hashOf(text).toString('hex');
  const token: Token = { id, hash, account, scope, createdAt, expiresAt, created };
  batch.add(...tokens.replace(id, undefined, token));
  return token;
}

/** The tokens of an account, at most `limit`, after an ID. */
function tokensOf(storage: Storage, account: string, limit = Number.POSITIVE_INFINITY, after?: string) {
  const prefix = accountKey(account, '');
  const keys = storage.keysAfter(prefix, after === undefined ? '' : prefix + after, limit);
  return keys.flatMap((key) => tokens.get(storage, key.slice(prefix.length)) ?? []);
}

const isExpired = ({ expiresAt }: Token, now: string): boolean => expiresAt !== null && expiresAt <= now;
