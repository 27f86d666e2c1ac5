import { createHash } from 'node:crypto';
import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import type { Transaction, View } from './tables.ts';

/** A token; its secret is stored encrypted, and found by its hash. */
export interface Token extends Indexes {
  readonly AccessorID: string;
  readonly Sealed: string;
  readonly SecretHash: string;
  readonly Name: string;
  /** Management tokens have all permissions, and no policies. */
  readonly Type: 'management' | 'client';
  /** By name; missing ones grant nothing. */
  readonly Policies: readonly string[];
  readonly Global: boolean;
  readonly CreateTime: string;
  readonly ExpirationTime?: string;
}

export interface Policy extends Indexes {
  readonly Name: string;
  readonly Description: string;
  readonly Rules: string;
  readonly Hash: string;
}

/** The policy of callers without a token, if it exists. */
export const anonymousPolicy = 'anonymous';

export function tokenOf(view: View, accessor: string): Token | undefined {
  return view.get('tokens', accessor) as (Row & Token) | undefined;
}

export function tokensOf(view: View, prefix: string): Token[] {
  return view.keys('tokens', prefix).flatMap((accessor) => tokenOf(view, accessor) ?? []);
}

/** Found by the hash of the secret, so that the time of the lookup reveals nothing of other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = view.get('secrets', hashOf(secret));
  return entry && tokenOf(view, String(entry.accessor));
}

export function secretOf(encryption: ValueEncryption, { AccessorID, Sealed }: Token): string {
  return encryption.decrypt(AccessorID, Sealed);
}

export function putToken(transaction: Transaction, token: Omit<Token, keyof Indexes>): Token {
  transaction.put('secrets', token.SecretHash, { accessor: token.AccessorID });
  return putWithIndexes(transaction, 'tokens', token.AccessorID, token);
}

export function deleteToken(transaction: Transaction, { AccessorID, SecretHash }: Token): void {
  transaction.put('secrets', SecretHash, undefined);
  transaction.put('tokens', AccessorID, undefined);
}

export function policyOf(view: View, name: string): Policy | undefined {
  return view.get('policies', name) as (Row & Policy) | undefined;
}

export function policiesOf(view: View, prefix: string): Policy[] {
  return view.keys('policies', prefix).flatMap((name) => policyOf(view, name) ?? []);
}

export function putPolicy(transaction: Transaction, policy: Omit<Policy, keyof Indexes>): Policy {
  return putWithIndexes(transaction, 'policies', policy.Name, policy);
}

export function deletePolicy(transaction: Transaction, name: string): void {
  transaction.put('policies', name, undefined);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
