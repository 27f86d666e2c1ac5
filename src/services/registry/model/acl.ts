import { createHash } from 'node:crypto';
import { type Indexes, putWithIndexes } from '../../core/state/put-with-indexes.ts';
import type { Row } from '../../core/state/transaction.ts';
import type { Transaction, View } from './tables.ts';

export interface Link {
  readonly ID: string;
  readonly Name: string;
}

/** Permits registering a service and looking up others. */
export interface ServiceIdentity {
  readonly ServiceName: string;
  /** Where it applies; absent: everywhere. */
  readonly Datacenters?: readonly string[];
}

/** Permits registering a node of a datacenter and looking up services. */
export interface NodeIdentity {
  readonly NodeName: string;
  readonly Datacenter: string;
}

/** The common fields of tokens and roles: what they grant. */
export interface Grants {
  /** By ID: names are resolved for output. */
  readonly Policies: readonly string[];
  readonly ServiceIdentities?: readonly ServiceIdentity[];
  readonly NodeIdentities?: readonly NodeIdentity[];
}

export interface Token extends Indexes, Grants {
  readonly AccessorID: string;
  readonly SecretID: string;
  readonly Description: string;
  /** By ID, like policies. */
  readonly Roles?: readonly string[];
  /** Its own legacy rules, in the legacy syntax. */
  readonly Rules?: string;
  readonly Local: boolean;
  /** The auth method of the login that created it. */
  readonly AuthMethod?: string;
  readonly CreateTime: string;
  readonly ExpirationTime?: string;
  readonly Hash: string;
}

/** Named grants for any number of tokens. */
export interface Role extends Indexes, Grants {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Hash: string;
}

export interface Policy extends Indexes {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Rules: string;
  readonly Hash: string;
}

export const globalManagement: Link = {
  ID: '00000000-0000-0000-0000-000000000001',
  Name: 'global-management',
};

/** The token of callers without one. */
export const anonymous = '00000000-0000-0000-0000-000000000002';
export const anonymousSecret = 'anonymous';

export function tokenOf(view: View, accessor: string): Token | undefined {
  return view.get('tokens', accessor) as (Row & Token) | undefined;
}

export function tokensOf(view: View): Token[] {
  return view.keys('tokens', '').flatMap((accessor) => tokenOf(view, accessor) ?? []);
}

/** Found by the hash of the secret, so that the time of the lookup reveals nothing of other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = view.get('secrets', hashOf(secret)) as { readonly accessor: string } | undefined;
  return entry && tokenOf(view, entry.accessor);
}

export function putToken(transaction: Transaction, token: Omit<Token, keyof Indexes>): Token {
  transaction.put('secrets', hashOf(token.SecretID), { accessor: token.AccessorID });
  return putWithIndexes(transaction, 'tokens', token.AccessorID, token);
}

export function deleteToken(transaction: Transaction, token: Token): void {
  transaction.put('secrets', hashOf(token.SecretID), undefined);
  transaction.put('tokens', token.AccessorID, undefined);
}

export function policyOf(view: View, id: string): Policy | undefined {
  return view.get('policies', id) as (Row & Policy) | undefined;
}

export function policiesOf(view: View): Policy[] {
  return view.keys('policies', '').flatMap((id) => policyOf(view, id) ?? []);
}

export function policyByName(view: View, name: string): Policy | undefined {
  return policiesOf(view).find((policy) => policy.Name === name);
}

export function putPolicy(transaction: Transaction, policy: Omit<Policy, keyof Indexes>): Policy {
  return putWithIndexes(transaction, 'policies', policy.ID, policy);
}

/** Deletes a policy; tokens that name it lose its permissions. */
export function deletePolicy(transaction: Transaction, id: string): void {
  transaction.put('policies', id, undefined);
}

export function roleOf(view: View, id: string): Role | undefined {
  return view.get('roles', id) as (Row & Role) | undefined;
}

export function rolesOf(view: View): Role[] {
  return view.keys('roles', '').flatMap((id) => roleOf(view, id) ?? []);
}

export function roleByName(view: View, name: string): Role | undefined {
  return rolesOf(view).find((role) => role.Name === name);
}

export function putRole(transaction: Transaction, role: Omit<Role, keyof Indexes>): Role {
  return putWithIndexes(transaction, 'roles', role.ID, role);
}

/** Deletes a role; tokens that name it lose its permissions. */
export function deleteRole(transaction: Transaction, id: string): void {
  transaction.put('roles', id, undefined);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
