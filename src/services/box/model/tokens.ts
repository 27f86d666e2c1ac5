import { createHash } from 'node:crypto';
import { base62 } from '../../core/base62.ts';
import * as s from '../../core/schema/types.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';

/** The tokens by the SHA-256 of their secret, hex. */
export const tokens = table('tokens/', {
  user: s.string(),
  description: s.string(),
  /** ISO 8601. */
  createdAt: s.string(),
});
export type Token = RowOf<typeof tokens>;

const startUpKey = 'start-up';

/** Enough to look up a token, but not to use it: a token is too random to guess. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const newSecret = (random: (length: number) => Uint8Array): string => base62(43, random);

export const tokenOf = (storage: Storage, secret: string) => tokens.get(storage, hashOf(secret));
export const tokenChange = (secret: string, token: Token): Change => tokens.put(hashOf(secret), token);
export const tokenRemoval = (secret: string): Change => tokens.remove(hashOf(secret));

/** The changes that make a token the only startup token. */
export function startUpChanges(storage: Storage, secret: string, token: Token): Change[] {
  const previousHash = storage.get(startUpKey);
  const hash = hashOf(secret);
  return [
    ...(typeof previousHash === 'string' && previousHash !== hash ? [tokens.remove(previousHash)] : []),
    { key: startUpKey, value: hash },
    tokenChange(secret, token),
  ];
}
