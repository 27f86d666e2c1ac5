import { createHash } from 'node:crypto';
import { type Indexes, indexFields, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import { type RowOf, s, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

/** A token; its secret is encrypted, and looked up by its hash. */
const tokens = table('tokens/', {
  ...indexFields,
  AccessorID: s.string,
  Sealed: s.string,
  SecretHash: s.string,
  Name: s.string,
  /** Management tokens are not restricted, and have no policies. */
  Type: s.oneOf('management', 'client'),
  /** By name; missing policies grant nothing. */
  Policies: s.array(s.string),
  Global: s.boolean,
  CreateTime: s.string,
  ExpirationTime: s.optional(s.string),
});
export type Token = RowOf<typeof tokens>;

const policies = table('policies/', {
  ...indexFields,
  Name: s.string,
  Description: s.string,
  Rules: s.string,
  Hash: s.string,
});
export type Policy = RowOf<typeof policies>;

/** Token accessors by the hash of the secret. */
const secrets = table('secrets/', { accessor: s.string });
/** The index of the bootstrap. */
const bootstraps = table('bootstrap/', { index: s.number });
export const aclTables = [tokens, secrets, policies, bootstraps];

/** The policy of callers without a token, if it exists. */
export const anonymousPolicy = 'anonymous';

export function tokenOf(view: View, accessor: string): Token | undefined {
  return tokens.get(view, accessor);
}

export function tokensOf(view: View, prefix: string): Token[] {
  return tokens.values(view, prefix);
}

/** The token with a secret, looked up by the secret's hash, so that the time reveals nothing about other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = secrets.get(view, hashOf(secret));
  return entry && tokenOf(view, entry.accessor);
}

export function secretOf(encryption: ValueEncryption, { AccessorID, Sealed }: Token): string {
  return encryption.decrypt(AccessorID, Sealed);
}

export function putToken(transaction: Transaction, token: Omit<Token, keyof Indexes>): Token {
  transaction.write(secrets.put(token.SecretHash, { accessor: token.AccessorID }));
  return putWithIndexes(transaction, tokens, token.AccessorID, token);
}

export function deleteToken(transaction: Transaction, { AccessorID, SecretHash }: Token): void {
  transaction.write(secrets.remove(SecretHash));
  transaction.write(tokens.remove(AccessorID));
}

export function policyOf(view: View, name: string): Policy | undefined {
  return policies.get(view, name);
}

export function policiesOf(view: View, prefix: string): Policy[] {
  return policies.values(view, prefix);
}

export function putPolicy(transaction: Transaction, policy: Omit<Policy, keyof Indexes>): Policy {
  return putWithIndexes(transaction, policies, policy.Name, policy);
}

export function deletePolicy(transaction: Transaction, name: string): void {
  transaction.write(policies.remove(name));
}

/** The index of the ACL bootstrap; undefined: not bootstrapped yet. */
export function bootstrapIndexOf(view: View): number | undefined {
  return bootstraps.get(view, 'done')?.index;
}

export function recordBootstrap(transaction: Transaction): void {
  transaction.write(bootstraps.put('done', { index: transaction.index }));
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
