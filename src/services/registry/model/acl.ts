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
import { toExpirationTime, toExpirationTtl } from './token-times.ts';

/** The value null. */
const isNull = s.json(undefined, { type: 'null' });
const datacenters = s.list(s.string(), 'Where it applies; none: everywhere.');

/** The hash and the indexes of an object in a response. */
const shownHash = { Hash: s.responseOnly(s.string()), ...shownIndexes };

/** A policy or role of a grant; in a request, its name counts if it has no ID. */
const link = s.object({ ID: s.string(), Name: s.string() });
export type Link = s.Stored<typeof link>;
const links = s.nonEmpty(s.list(link));

/** Permits registering a service and looking up others. */
const serviceIdentity = s.object({
  ServiceName: s.required(s.string()),
  Datacenters: s.nonEmpty(datacenters),
});
export type ServiceIdentity = s.Stored<typeof serviceIdentity>;

/** Permits registering a node of a datacenter and looking up services. */
const nodeIdentity = s.object({ ...s.each(['NodeName', 'Datacenter'], s.required(s.string())) });
export type NodeIdentity = s.Stored<typeof nodeIdentity>;

/** The variables of a templated policy. */
export const templateVariables = s.object({ name: s.nonEmpty(s.string()) });
export type TemplateVariables = s.Stored<typeof templateVariables>;

/** A use of a built-in policy template (docs/protocol/registry.md#templated-policies). */
const templatedPolicy = s.object({
  TemplateID: s.string(),
  TemplateName: s.string(),
  TemplateVariables: s.optional(templateVariables),
  Datacenters: s.nonEmpty(datacenters),
});
export type TemplatedPolicy = s.Stored<typeof templatedPolicy>;

const grantFields = {
  Policies: links,
  ServiceIdentities: s.nonEmpty(s.list(serviceIdentity)),
  NodeIdentities: s.nonEmpty(s.list(nodeIdentity)),
  TemplatedPolicies: s.nonEmpty(s.list(templatedPolicy)),
};
const _grants = s.object(grantFields);
export type GrantsInput = s.Input<typeof _grants>;

/** By ID: names are resolved for output. */
const storedPolicies = { Policies: s.list(s.string()) };
export type Grants = Omit<GrantsInput, 'Policies'> & s.StoredFields<typeof storedPolicies>;

const secrets = table('secrets/', { accessor: s.string() });

const tokenFields = {
  AccessorID: s.string('UUID; default: random. In an update, as in the path.'),
  SecretID: s.string(
    'The token itself, a UUID; default: random. It cannot be changed; `<hidden>` without permission to write tokens.',
  ),
  Description: s.string(),
  ...grantFields,
  Roles: links,
  Local: s.boolean('Only in the datacenter where it was created. It cannot be changed.'),
  AuthMethod: s.nonEmpty(s.string('The auth method of the login that created it.')),
  CreateTime: s.responseOnly(s.time()),
  ExpirationTime: s.nonEmpty(
    s.converted(s.time('At least 1m in the future. It cannot be changed.'), toExpirationTime),
  ),
  ...shownHash,
};
const rules = { Rules: s.optional(s.string('Rules of a legacy token.')) };
const shownToken = { ...tokenFields, ...rules };

export const tokenInput = s.named(
  'Token',
  s.object({
    ...tokenFields,
    ExpirationTTL: s.requestOnly(
      s.converted(
        s.duration('Instead of `ExpirationTime`: a duration such as `5s`, or nanoseconds.'),
        toExpirationTtl,
      ),
    ),
  }),
);
export type TokenInput = s.Input<typeof tokenInput>;

export const token = s.named('Token', s.object(shownToken));
export const bootstrapToken = s.named(
  'BootstrapToken',
  s.object({ ID: s.string('The same as `SecretID`.'), ...shownToken }),
);

export const tokens = stateTable('tokens/', {
  ...shownToken,
  ...storedPolicies,
  Roles: s.optional(s.list(s.string())),
  CreateTime: s.string(),
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
const roleFields = {
  ID: s.string(),
  Name: s.required(s.string()),
  Description: s.string(),
  ...grantFields,
  ...shownHash,
};
export const role = s.named('Role', s.object(roleFields));

export const roles = stateTable('roles/', {
  ...roleFields,
  ...storedPolicies,
  Hash: s.string(),
}).with({ lookups: ({ ID, Name }) => [roleNames.put(nameKey(Name, ID), {})] });
export type Role = RowOf<typeof roles>;

const policyFields = {
  ID: s.string(),
  Name: s.string('Required to create a policy.'),
  Description: s.string(),
  Rules: s.string('Rules in HCL or JSON.'),
  Datacenters: s.optional(datacenters),
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

/** A token with its roles and policies. */
export const tokenDetails = s.named(
  'TokenDetails',
  s.object(
    {
      ...shownToken,
      ExpandedPolicies: s.optional(s.nullable(s.list(policy))),
      ExpandedRoles: s.optional(s.nullable(s.list(role))),
      ...s.each(['NamespaceDefaultPolicyIDs', 'NamespaceDefaultRoleIDs'], s.optional(isNull)),
      AgentACLDefaultPolicy: s.optional(s.oneOf(['allow', 'deny'])),
      ...s.each(['AgentACLDownPolicy', 'ResolvedByAgent'], s.optional(s.string())),
    },
    'A token, with `expanded` also its roles and policies.',
  ),
);

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
