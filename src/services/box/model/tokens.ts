import { createHash } from 'node:crypto';
import type { Json } from '../../../wire/json.ts';
import { base62 } from '../../core/base62.ts';
import type { Change, Storage } from '../../core/store/storage.ts';

/** A stored token: the SHA-256 of its secret, hex. */
export interface Token {
  readonly user: string;
  readonly description: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

const startUpKey = 'start-up';
const tokenKey = (hash: string) => `tokens/${hash}`;

/** A fast hash is enough: a token has too much randomness to be guessed. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function newSecret(random: (length: number) => Uint8Array): string {
  return base62(43, random);
}

export function tokenOf(storage: Storage, secret: string): Token | undefined {
  return storage.get(tokenKey(hashOf(secret))) as Token | undefined;
}

export function tokenChange(secret: string, token: Token): Change {
  return { key: tokenKey(hashOf(secret)), value: token as unknown as Json };
}

export function tokenRemoval(secret: string): Change {
  return { key: tokenKey(hashOf(secret)) };
}

/** Stores the seeded token, and removes the previous one. */
export function startUpChanges(storage: Storage, secret: string, token: Token): Change[] {
  const previousHash = storage.get(startUpKey);
  const hash = hashOf(secret);
  return [
    ...(typeof previousHash === 'string' && previousHash !== hash ? [{ key: tokenKey(previousHash) }] : []),
    { key: startUpKey, value: hash },
    tokenChange(secret, token),
  ];
}
