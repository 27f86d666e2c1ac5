import type { Json } from '../../../wire/json.ts';
import { hashPassword, type PasswordHash } from '../../core/password.ts';
import type { Change, Storage } from '../../core/store/storage.ts';

/** The role of a member of an organization: read its private boxes, or also change all of its boxes. */
export type Role = 'read' | 'write';

interface OwnerBase {
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Requests for its private boxes fail with 402. */
  readonly delinquent: boolean;
}

/** A user; without a password only the seeded token logs in. */
export interface User extends OwnerBase {
  readonly kind: 'user';
  readonly email: string | null;
  /** Recipient of codes; a user with a number needs a code to log in. */
  readonly phone: string | null;
  readonly password: PasswordHash | null;
}

export interface Organization extends OwnerBase {
  readonly kind: 'organisation';
  readonly members: Readonly<Record<string, Role>>;
}

/** The owner of boxes. */
export type Owner = User | Organization;

/** A user in the seed. */
export interface UserSeed {
  readonly name: string;
  /** Without one, an existing password is kept. */
  readonly password?: string;
  readonly email?: string;
  /** A telephone number: enables two-factor authentication. */
  readonly phone?: string;
  readonly delinquent?: boolean;
}

/** An organization in the seed. */
export interface OrganizationSeed {
  readonly name: string;
  /** By name of the user. */
  readonly members: Readonly<Record<string, Role>>;
  readonly delinquent?: boolean;
}

const prefix = 'owners/';

export function ownerOf(storage: Storage, name: string): Owner | undefined {
  return storage.get(prefix + name) as Owner | undefined;
}

/** A user by name or email address. */
export function userByLogin(storage: Storage, login: string): User | undefined {
  const byName = ownerOf(storage, login);
  if (byName?.kind === 'user') return byName;
  return storage
    .keys(prefix)
    .map((key) => storage.get(key) as unknown as Owner)
    .find((owner): owner is User => owner.kind === 'user' && owner.email === login);
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
  parts: { readonly now: string; readonly random: (length: number) => Uint8Array },
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
    password: seed.password === undefined ? currentPassword : await hashPassword(seed.password, parts.random),
  };
  return { key: prefix + user.name, value: user as unknown as Json };
}

export function organizationChange(storage: Storage, seed: OrganizationSeed, now: string): Change {
  const organization: Organization = {
    kind: 'organisation',
    name: seed.name,
    createdAt: ownerOf(storage, seed.name)?.createdAt ?? now,
    delinquent: seed.delinquent ?? false,
    members: seed.members,
  };
  return { key: prefix + organization.name, value: organization as unknown as Json };
}
