import type { Json } from '../../../wire/json.ts';
import { hashPassword, type PasswordHash } from '../../password.ts';
import type { Change, Storage } from '../../storage.ts';

/** What a member of an organisation may: see its private boxes, or change all of its boxes too. */
export type Role = 'read' | 'write';

interface Common {
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Its private boxes answer 402. */
  readonly delinquent: boolean;
}

/** A user; without a password only a token that was given at the start lets in. */
export interface User extends Common {
  readonly kind: 'user';
  readonly email: string | null;
  /** Where codes are said to go; a user who has one needs a code to log in. */
  readonly phone: string | null;
  readonly password: PasswordHash | null;
}

export interface Organisation extends Common {
  readonly kind: 'organisation';
  readonly members: Readonly<Record<string, Role>>;
}

/** What boxes belong to. */
export type Owner = User | Organisation;

/** A user as the registry is told of at its start. */
export interface UserSeed {
  readonly name: string;
  /** Without one, the password of the last time stays. */
  readonly password?: string;
  readonly email?: string;
  /** A telephone number: turns two-factor authentication on. */
  readonly phone?: string;
  readonly delinquent?: boolean;
}

/** An organisation as the registry is told of at its start. */
export interface OrganisationSeed {
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
  const named = ownerOf(storage, login);
  if (named?.kind === 'user') return named;
  return storage
    .keys(prefix)
    .map((key) => storage.get(key) as unknown as Owner)
    .find((owner): owner is User => owner.kind === 'user' && owner.email === login);
}

/** What a user may do with the boxes of an owner; nothing: undefined. */
export function roleOf(owner: Owner, user: string): Role | undefined {
  if (owner.kind === 'user') return owner.name === user ? 'write' : undefined;
  return Object.hasOwn(owner.members, user) ? owner.members[user] : undefined;
}

/** The row of a user; a user who was there keeps what the seed does not tell of the password. */
export async function userChange(
  storage: Storage,
  seed: UserSeed,
  parts: { readonly now: string; readonly random: (length: number) => Uint8Array },
): Promise<Change> {
  const before = ownerOf(storage, seed.name);
  const known = before?.kind === 'user' ? before.password : null;
  const user: User = {
    kind: 'user',
    name: seed.name,
    createdAt: before?.createdAt ?? parts.now,
    delinquent: seed.delinquent ?? false,
    email: seed.email ?? null,
    phone: seed.phone ?? null,
    password: seed.password === undefined ? known : await hashPassword(seed.password, parts.random),
  };
  return { key: prefix + user.name, value: user as unknown as Json };
}

export function organisationChange(storage: Storage, seed: OrganisationSeed, now: string): Change {
  const organisation: Organisation = {
    kind: 'organisation',
    name: seed.name,
    createdAt: ownerOf(storage, seed.name)?.createdAt ?? now,
    delinquent: seed.delinquent ?? false,
    members: seed.members,
  };
  return { key: prefix + organisation.name, value: organisation as unknown as Json };
}
