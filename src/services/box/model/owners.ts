import { forEachInSlices } from '../../core/in-slices.ts';
import { hashPassword, passwordHash } from '../../core/password.ts';
import * as s from '../../core/schema/types.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { tableOf } from '../../core/store/table.ts';

/** What a member of an organisation may do: read its private boxes, or also change all of its boxes. */
const role = s.oneOf(['read', 'write']);
export type Role = s.Stored<typeof role>;

const ownerFields = {
  name: s.string(),
  /** ISO 8601. */
  createdAt: s.string(),
  /** Requests for its private boxes get status 402. */
  delinquent: s.boolean(),
};

/** A user. Without a password, only startup tokens give access. */
const userSchema = s.object({
  ...ownerFields,
  kind: s.oneOf(['user']),
  email: s.nullable(s.string()),
  /** The destination of two-factor codes; if set, logins require a code. */
  phone: s.nullable(s.string()),
  password: s.nullable(passwordHash),
});
export type User = s.Stored<typeof userSchema>;

const organizationSchema = s.object({
  ...ownerFields,
  kind: s.oneOf(['organisation']),
  members: s.map(role),
});
export type Organization = s.Stored<typeof organizationSchema>;

export const owners = tableOf('owners/', s.either(userSchema, organizationSchema));
export type Owner = User | Organization;

export interface UserSeed {
  readonly name: string;
  /** Without one, an existing password is kept. */
  readonly password?: string;
  readonly email?: string;
  /** A telephone number: enables two-factor authentication. */
  readonly phone?: string;
  readonly delinquent?: boolean;
}

export interface OrganizationSeed {
  readonly name: string;
  /** By name of the user. */
  readonly members: Readonly<Record<string, Role>>;
  readonly delinquent?: boolean;
}

export const ownerOf = (storage: Storage, name: string) => owners.get(storage, name);

export async function userByLogin(storage: Storage, login: string): Promise<User | undefined> {
  const byName = ownerOf(storage, login);
  if (byName?.kind === 'user') return byName;
  let found: User | undefined;
  await forEachInSlices(owners.keys(storage), (name) => {
    const owner = ownerOf(storage, name);
    if (!found && owner?.kind === 'user' && owner.email === login) found = owner;
  });
  return found;
}

/** The role of a user for the boxes of an owner; undefined: none. */
export function roleOf(owner: Owner, user: string): Role | undefined {
  if (owner.kind === 'user') return owner.name === user ? 'write' : undefined;
  return Object.hasOwn(owner.members, user) ? owner.members[user] : undefined;
}

/** The row of a user; an existing user keeps the password if the seed has none. */
export async function userChange(
  storage: Storage,
  seed: UserSeed,
  parts: {
    readonly now: string;
    readonly random: (length: number) => Uint8Array;
    /** Of a new password hash. */
    readonly scryptCost: number | undefined;
  },
): Promise<Change> {
  const existing = ownerOf(storage, seed.name);
  const currentPassword = existing?.kind === 'user' ? existing.password : null;
  const user: User = {
    kind: 'user',
    name: seed.name,
    createdAt: existing?.createdAt ?? parts.now,
    delinquent: seed.delinquent ?? false,
    email: seed.email ?? null,
    phone: seed.phone ?? null,
    password:
      seed.password === undefined
        ? currentPassword
        : await hashPassword(seed.password, parts.random, parts.scryptCost),
  };
  return owners.put(user.name, user);
}

export function organizationChange(storage: Storage, seed: OrganizationSeed, now: string): Change {
  const organization: Organization = {
    kind: 'organisation',
    name: seed.name,
    createdAt: ownerOf(storage, seed.name)?.createdAt ?? now,
    delinquent: seed.delinquent ?? false,
    members: seed.members,
  };
  return owners.put(organization.name, organization);
}
