import { createHash } from 'node:crypto';
import { type Indexes, indexFields, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import { type RowOf, s, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

export interface Link {
  readonly ID: string;
  readonly Name: string;
}

/** A service that may be registered and may look up the others. */
const serviceIdentity = s.object({
  ServiceName: s.string,
  /** Where it applies; missing: everywhere. */
  Datacenters: s.optional(s.array(s.string)),
});
export type ServiceIdentity = s.TypeOf<typeof serviceIdentity>;

/** A node of a datacenter that may be registered and may look up services. */
const nodeIdentity = s.object({ NodeName: s.string, Datacenter: s.string });
export type NodeIdentity = s.TypeOf<typeof nodeIdentity>;

/** The permissions of a token or role. */
const grantFields = {
  /** By ID: the name is looked up when it is shown. */
  Policies: s.array(s.string),
  ServiceIdentities: s.optional(s.array(serviceIdentity)),
  NodeIdentities: s.optional(s.array(nodeIdentity)),
};
const grants = s.object(grantFields);
export type Grants = s.TypeOf<typeof grants>;

const tokens = table('tokens/', {
  ...indexFields,
  ...grantFields,
  AccessorID: s.string,
  SecretID: s.string,
  Description: s.string,
  /** By ID, as policies. */
  Roles: s.optional(s.array(s.string)),
  /** Legacy rules of the token itself, in the legacy syntax. */
  Rules: s.optional(s.string),
  Local: s.boolean,
  /** The auth method of the login that created the token. */
  AuthMethod: s.optional(s.string),
  CreateTime: s.string,
  ExpirationTime: s.optional(s.string),
  Hash: s.string,
}).with({ encrypted: true });
export type Token = RowOf<typeof tokens>;

/** Grants under a name, for any number of tokens. */
const roles = table('roles/', {
  ...indexFields,
  ...grantFields,
  ID: s.string,
  Name: s.string,
  Description: s.string,
  Hash: s.string,
});
export type Role = RowOf<typeof roles>;

const policies = table('policies/', {
  ...indexFields,
  ID: s.string,
  Name: s.string,
  Description: s.string,
  Rules: s.string,
  Hash: s.string,
});
export type Policy = RowOf<typeof policies>;

/** Token accessors by the hash of the secret. */
const secrets = table('secrets/', { accessor: s.string });
/** The index of the last bootstrap. */
const bootstraps = table('bootstrap/', { index: s.number });
export const aclTables = { tokens, secrets, policies, roles, bootstraps };

export const globalManagement: Link = {
  ID: '00000000-0000-0000-0000-000000000001',
  Name: 'global-management',
};

/** The token of callers without one. */
export const anonymous = '00000000-0000-0000-0000-000000000002';
export const anonymousSecret = 'anonymous';

export function tokenOf(view: View, accessor: string): Token | undefined {
  return tokens.get(view, accessor);
}

export function tokensOf(view: View): Token[] {
  return tokens.values(view);
}

/** The token with a secret, looked up by the secret's hash, so that the time reveals nothing about other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = secrets.get(view, hashOf(secret));
  return entry && tokenOf(view, entry.accessor);
}

export function putToken(transaction: Transaction, token: Omit<Token, keyof Indexes>): Token {
  transaction.write(secrets.put(hashOf(token.SecretID), { accessor: token.AccessorID }));
  return putWithIndexes(transaction, tokens, token.AccessorID, token);
}

export function deleteToken(transaction: Transaction, token: Token): void {
  transaction.write(secrets.remove(hashOf(token.SecretID)));
  transaction.write(tokens.remove(token.AccessorID));
}

export function policyOf(view: View, id: string): Policy | undefined {
  return policies.get(view, id);
}

export function policiesOf(view: View): Policy[] {
  return policies.values(view);
}

export function policyByName(view: View, name: string): Policy | undefined {
  return policiesOf(view).find((policy) => policy.Name === name);
}

export function putPolicy(transaction: Transaction, policy: Omit<Policy, keyof Indexes>): Policy {
  return putWithIndexes(transaction, policies, policy.ID, policy);
}

/** Deletes a policy; tokens with the policy lose its permissions. */
export function deletePolicy(transaction: Transaction, id: string): void {
  transaction.write(policies.remove(id));
}

export function roleOf(view: View, id: string): Role | undefined {
  return roles.get(view, id);
}

export function rolesOf(view: View): Role[] {
  return roles.values(view);
}

export function roleByName(view: View, name: string): Role | undefined {
  return rolesOf(view).find((role) => role.Name === name);
}

export function putRole(transaction: Transaction, role: Omit<Role, keyof Indexes>): Role {
  return putWithIndexes(transaction, roles, role.ID, role);
}

/** Deletes a role; tokens with the role lose its permissions. */
export function deleteRole(transaction: Transaction, id: string): void {
  transaction.write(roles.remove(id));
}

/** The index of the last ACL bootstrap; undefined: not bootstrapped yet. */
export function bootstrapIndexOf(view: View): number | undefined {
  return bootstraps.get(view, 'done')?.index;
}

export function recordBootstrap(transaction: Transaction): void {
  transaction.write(bootstraps.put('done', { index: transaction.index }));
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
