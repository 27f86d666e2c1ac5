import { hash } from 'node:crypto';
import * as s from '../../core/schema/types.ts';
import { shownIndexes, stateTable } from '../../core/state/state-table.ts';
import type { ValueEncryption } from '../../core/store/encryption.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import type { View } from './tables.ts';

/** Token accessors by the hash of the secret. */
const secrets = table('secrets/', { accessor: s.string() });

const tokenType = s.oneOf(['client', 'management'], 'Management tokens are not restricted.');
const policyNames = s.list(s.string(), 'Names of policies; missing ones grant nothing.');
const roleIds = s.list(s.string(), 'IDs of roles.');

const roleLink = s.object({
  ID: s.string('ID of the role; in requests, the name is enough.'),
  Name: s.string('Current name of the role.'),
});

const tokenFields = {
  Type: s.required(tokenType),
  Policies: s.nullable(policyNames),
  Roles: s.nullable(s.list(roleLink, 'Roles, whose policies the token has too.')),
  Global: s.boolean(),
};

/** A token without its secret. */
export const tokenMetadata = s.named(
  'TokenMetadata',
  s.object({
    AccessorID: s.string('Public ID.'),
    Name: s.string(),
    ...tokenFields,
    Hash: s.nullable(s.string()),
    CreateTime: s.time(),
    ExpirationTime: s.nullable(s.time()),
    ...shownIndexes,
  }),
);

export const tokenDetails = s.named(
  'Token',
  s.object({
    ...tokenMetadata.fields,
    SecretID: s.string('The token itself.'),
    ExpirationTTL: s.string('A duration; empty if the token was created without one.'),
  }),
);

export const tokenInput = s.named(
  'Token',
  s.object({
    AccessorID: s.string('Of an existing token, to update it. Must match the path.'),
    SecretID: s.string('With an unknown accessor: create the client token with these IDs (UUIDs).'),
    Name: s.string('At most 256 characters.'),
    ...tokenFields,
    ExpirationTTL: s.duration('Time until the token expires, 1m to 24h: a duration, or nanoseconds.'),
    ExpirationTime: s.converted(
      s.string('When the token expires, RFC 3339; instead of `ExpirationTTL`.'),
      (value) => {
        if (typeof value !== 'string' || value === '') return value === '' ? value : undefined;
        const time = Date.parse(value);
        if (Number.isNaN(time)) throw new Error('a time');
        return new Date(time).toISOString();
      },
    ),
  }),
);

/** A token; its secret is encrypted, and looked up by its hash. */
export const tokens = stateTable('tokens/', {
  AccessorID: s.string(),
  Sealed: s.string(),
  SecretHash: s.string(),
  Name: s.string(),
  Type: tokenType,
  Policies: policyNames,
  /** Absent: none. */
  Roles: s.optional(roleIds),
  Global: s.boolean(),
  CreateTime: s.string(),
  /** Seconds from the creation to the expiration, if given so. */
  ExpirationTTL: s.optional(s.number()),
  ExpirationTime: s.optional(s.string()),
}).with({ lookups: ({ AccessorID, SecretHash }) => [secrets.put(SecretHash, { accessor: AccessorID })] });
export type Token = RowOf<typeof tokens>;

const policyFields = {
  Name: s.string('Must match the path; default: from the path.'),
  Description: s.string('At most 256 characters.'),
  Rules: s.string('Rules in HCL or JSON.'),
};
const jobFields = s.object(
  {
    Namespace: s.string('Namespace of the job.'),
    JobID: s.string('ID of the job; empty: every job of the namespace.'),
    Group: s.string('Group of the job; empty: every group.'),
    Task: s.string('Task of the group; empty: every task.'),
  },
  'The job whose workload identities have the policy.',
);
const shownFields = { Hash: s.responseOnly(s.string()), ...shownIndexes };
export const policy = s.named(
  'Policy',
  s.object({ ...policyFields, JobACL: s.nullable(jobFields), ...shownFields }),
);

/** A policy without its rules. */
export const policyMetadata = s.named(
  'PolicyMetadata',
  s.object({
    Name: policyFields.Name,
    Description: policyFields.Description,
    JobACL: s.nullable(jobFields),
    ...shownFields,
  }),
);

export const policies = stateTable('policies/', {
  ...policyFields,
  /** Absent: of no job. */
  JobACL: s.optional(jobFields),
  Hash: s.string(),
});
export type Policy = RowOf<typeof policies>;

/** IDs of roles by name. */
const roleNames = table('role-names/', { id: s.string() });

export const role = s.named(
  'Role',
  s.object({
    ID: s.string('ID of the role to update; empty: create one.'),
    Name: s.required(s.string('Unique name.', { pattern: '^[a-zA-Z0-9-]{1,128}$' })),
    Description: s.string('At most 256 characters.'),
    Policies: s.nullable(s.list(s.object({ Name: s.string() }), 'Policies by name, at least one.')),
    ...shownFields,
  }),
);

/** A role: policies that several tokens have. */
export const roles = stateTable('roles/', {
  ID: s.string(),
  Name: s.string(),
  Description: s.string(),
  Policies: policyNames,
  Hash: s.string(),
}).with({ lookups: ({ ID, Name }) => [roleNames.put(Name, { id: ID })] });
export type Role = RowOf<typeof roles>;

export function roleByName(view: View, name: string): Role | undefined {
  const entry = roleNames.get(view, name);
  return entry && roles.get(view, entry.id);
}

/** The roles of a token that exist: links to deleted ones have no effect. */
export const rolesOf = (view: View, { Roles = [] }: Pick<Token, 'Roles'>): Role[] =>
  Roles.flatMap((id) => roles.get(view, id) ?? []);

/** The names of all policies of a token: its own, and the policies of its roles. */
export const policyNamesOf = (view: View, token: Token): readonly string[] => [
  ...new Set([...token.Policies, ...rolesOf(view, token).flatMap(({ Policies }) => Policies)]),
];

export const bootstraps = table('bootstrap/', { index: s.number() });
export const aclTables = [tokens, secrets, policies, roles, roleNames, bootstraps];

/** The policy of callers without a token, if it exists. */
export const anonymousPolicy = 'anonymous';

/** The token with a secret, looked up by the secret's hash, so that the time reveals nothing about other secrets. */
export function tokenBySecret(view: View, secret: string): Token | undefined {
  const entry = secrets.get(view, hashOf(secret));
  return entry && tokens.get(view, entry.accessor);
}

export function secretOf(encryption: ValueEncryption, { AccessorID, Sealed }: Token): string {
  return encryption.decrypt(AccessorID, Sealed);
}

export function hashOf(text: string): string {
  return hash('sha256', text, 'base64');
}
