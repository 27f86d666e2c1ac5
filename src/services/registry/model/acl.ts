import { hash } from 'node:crypto';
import * as s from '../../core/schema/types.ts';
import {
  type Content,
  type Indexes,
  type StateTable,
  shownIndexes,
  stateTable,
} from '../../core/state/state-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import type { Transaction, View } from './tables.ts';

const datacenters = s.optional(s.list(s.string(), 'Where it applies; none: everywhere.'));

/** The hash and the indexes of an object in a response. */
const shownHash = { Hash: s.responseOnly(s.string()), ...shownIndexes };

export interface Link {
  readonly ID: string;
  readonly Name: string;
}

/** Permits registering a service and looking up others. */
const serviceIdentity = s.object({
  ServiceName: s.string(),
  /** Where it applies; missing: everywhere. */
  Datacenters: s.optional(s.list(s.string())),
});
export type ServiceIdentity = s.Stored<typeof serviceIdentity>;

/** Permits registering a node of a datacenter and looking up services. */
const nodeIdentity = s.object({ NodeName: s.string(), Datacenter: s.string() });
export type NodeIdentity = s.Stored<typeof nodeIdentity>;

/** The variables of a templated policy. */
export const templateVariables = s.object({ name: s.optional(s.string()) });
export type TemplateVariables = s.Stored<typeof templateVariables>;

/** A use of a built-in policy template (docs/protocol/registry.md#templated-policies). */
const templatedPolicy = s.object({
  TemplateID: s.string(),
  TemplateName: s.string(),
  TemplateVariables: s.optional(templateVariables),
  /** Where it applies; missing: everywhere. */
  Datacenters: s.optional(s.list(s.string())),
});
export type TemplatedPolicy = s.Stored<typeof templatedPolicy>;

const grantFields = {
  /** By ID: names are resolved for output. */
  Policies: s.list(s.string()),
  ServiceIdentities: s.optional(s.list(serviceIdentity)),
  NodeIdentities: s.optional(s.list(nodeIdentity)),
  TemplatedPolicies: s.optional(s.list(templatedPolicy)),
};
const grants = s.object(grantFields);
export type Grants = s.Stored<typeof grants>;

const secrets = table('secrets/', { accessor: s.string() });

export const tokens = stateTable('tokens/', {
  ...grantFields,
  AccessorID: s.string(),
  SecretID: s.string(),
  Description: s.string(),
  /** By ID, like policies. */
  Roles: s.optional(s.list(s.string())),
  /** Legacy rules of the token itself, in the legacy syntax. */
  Rules: s.optional(s.string()),
  Local: s.boolean(),
  /** The auth method of the login that created the token. */
  AuthMethod: s.optional(s.string()),
  CreateTime: s.string(),
  ExpirationTime: s.optional(s.string()),
  Hash: s.string(),
}).with({
  encrypted: true,
  lookups: ({ AccessorID, SecretID }) => [secrets.put(hashOf(SecretID), { accessor: AccessorID })],
});
export type Token = RowOf<typeof tokens>;

/** Roles and policies by name; the case does not matter, though earlier versions stored names that differ in it. */
const roleNames = table('role-names/', {});
const policyNames = table('policy-names/', {});
const nameKey = (name: string, id: string): string => `${name.toLowerCase()}:${id}`;

/** Named grants for any number of tokens. */
export const roles = stateTable('roles/', {
  ...grantFields,
  ID: s.string(),
  Name: s.string(),
  Description: s.string(),
  Hash: s.string(),
}).with({ lookups: ({ ID, Name }) => [roleNames.put(nameKey(Name, ID), {})] });
export type Role = RowOf<typeof roles>;

const policyFields = {
  ID: s.string(),
  Name: s.string('Required to create a policy.'),
  Description: s.string(),
  Rules: s.string('Rules in HCL or JSON.'),
  Datacenters: datacenters,
  ...shownHash,
};
export const policy = s.named('Policy', s.object(policyFields));

const { Rules: _rules, ...metadata } = policyFields;
/** A policy in a list. */
export const policyMetadata = s.named(
  'PolicyMetadata',
  s.object({ ...metadata, Datacenters: s.nullable(s.list(s.string())) }, 'A policy without its rules.'),
);

export const policies = stateTable('policies/', { ...policyFields, Hash: s.string() }).with({
  lookups: ({ ID, Name }) => [policyNames.put(nameKey(Name, ID), {})],
});
export type Policy = RowOf<typeof policies>;

export const bootstraps = table('bootstrap/', { index: s.number() });
export const aclTables = { tokens, secrets, policies, policyNames, roles, roleNames, bootstraps };

export const globalManagement: Link = {
  ID: '00000000-0000-0000-0000-000000000001',
  Name: 'global-management',
};

export const globalReadOnly: Link = {
  ID: '00000000-0000-0000-0000-000000000002',
  Name: 'builtin/global-read-only',
};

/** The IDs of what is built in have this prefix. */
export const reservedIdPrefix = '00000000-0000-0000-0000-0000000000';

/** The token of callers without one. */
export const anonymous = '00000000-0000-0000-0000-000000000002';
export const anonymousSecret = 'anonymous';

export const hashOf = (text: string): string => hash('sha256', text, 'base64');

const anonymousHash = hashOf(anonymousSecret);

/** The token with a secret, looked up by the secret's hash, so that the time reveals nothing about other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = secrets.get(view, secret === anonymousSecret ? anonymousHash : hashOf(secret));
  return entry && tokens.get(view, entry.accessor);
}

export const putToken = (transaction: Transaction, token: Content<Token>) =>
  tokens.write(transaction, token.AccessorID, token);
export const deleteToken = (transaction: Transaction, token: Token) =>
  tokens.delete(transaction, token.AccessorID);

/** A policy or role by its name. */
export function byName<Row extends Link & Indexes>(
  table: StateTable<Row>,
  view: View,
  name: string,
): Row | undefined {
  const names = table.prefix === roles.prefix ? roleNames : policyNames;
  const start = nameKey(name, '');
  const named = names.keys(view, start).flatMap((key) => table.get(view, key.slice(start.length)) ?? []);
  return named.find((row) => row.Name === name) ?? named[0];
}
