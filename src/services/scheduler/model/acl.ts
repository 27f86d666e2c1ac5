import { hash } from 'node:crypto';
import * as s from '../../core/schema/types.ts';
import { type Content, stateTable } from '../../core/state/state-table.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

/** Token accessors by the hash of the secret. */
const secrets = table('secrets/', { accessor: s.string() });

/** A token; its secret is encrypted, and looked up by its hash. */
const tokens = stateTable('tokens/', {
  AccessorID: s.string(),
  Sealed: s.string(),
  SecretHash: s.string(),
  Name: s.string(),
  /** Management tokens are not restricted, and have no policies. */
  Type: s.oneOf(['management', 'client']),
  /** By name; missing policies grant nothing. */
  Policies: s.list(s.string()),
  Global: s.boolean(),
  CreateTime: s.string(),
  /** Seconds from the creation to the expiration, if given so. */
  ExpirationTTL: s.optional(s.number()),
  ExpirationTime: s.optional(s.string()),
}).with({ lookups: ({ AccessorID, SecretHash }) => [secrets.put(SecretHash, { accessor: AccessorID })] });
export type Token = RowOf<typeof tokens>;

const policies = stateTable('policies/', {
  Name: s.string(),
  Description: s.string(),
  Rules: s.string(),
  Hash: s.string(),
});
export type Policy = RowOf<typeof policies>;

/** The index of the bootstrap. */
export const bootstraps = table('bootstrap/', { index: s.number() });
export const aclTables = [tokens, secrets, policies, bootstraps];

/** The policy of callers without a token, if it exists. */
export const anonymousPolicy = 'anonymous';

export const tokenOf = (view: View, accessor: string) => tokens.get(view, accessor);
export const tokensOf = (view: View, prefix: string) => tokens.list(view, prefix);

/** The token with a secret, looked up by the secret's hash, so that the time reveals nothing about other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = secrets.get(view, hashOf(secret));
  return entry && tokenOf(view, entry.accessor);
}

export function secretOf(encryption: ValueEncryption, { AccessorID, Sealed }: Token): string {
  return encryption.decrypt(AccessorID, Sealed);
}

export const putToken = (transaction: Transaction, token: Content<Token>) =>
  tokens.write(transaction, token.AccessorID, token);
export const deleteToken = (transaction: Transaction, token: Token) =>
  tokens.delete(transaction, token.AccessorID);

export const policyOf = (view: View, name: string) => policies.get(view, name);
export const policiesOf = (view: View, prefix: string) => policies.list(view, prefix);
export const putPolicy = (transaction: Transaction, policy: Content<Policy>) =>
  policies.write(transaction, policy.Name, policy);
export const deletePolicy = (transaction: Transaction, name: string) => policies.delete(transaction, name);

export function hashOf(text: string): string {
  return hash('sha256', text, 'base64');
}
