import { base62 } from '../../core/base62.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { RowOf } from '../../core/store/table.ts';
import { type ChangeBatch, resourceTable } from './change-log.ts';
import { actions, knownVersion, labels, readOnlyId, scopeInfo, times, updateOf } from './fields.ts';
import { globalScope } from './scopes.ts';
import { isNameTaken, nameLookups } from './unique-names.ts';

export const userSchema = s.named(
  'User',
  s.object({
    id: readOnlyId,
    scope_id: s.required(s.string('`global` or an organization.')),
    scope: scopeInfo,
    ...labels,
    ...times,
    login_name: s.responseOnly(s.omitEmpty(s.string('Of the primary account.'))),
    primary_account_id: s.responseOnly(
      s.omitEmpty(s.string('The account of the primary auth method of the scope.')),
    ),
    authorized_actions: actions,
  }),
);

export const userDetailsSchema = s.named(
  'UserDetails',
  s.object(
    {
      ...userSchema.fields,
      account_ids: s.omitEmpty(s.list(s.string())),
      accounts: s.omitEmpty(s.list(s.object({ id: s.string(), scope_id: s.string() }))),
    },
    'A user with its accounts.',
  ),
);

export const userUpdate = updateOf('User', labels);

/** The accounts that an action adds, sets or removes. */
export const userAccounts = s.named(
  'UserAccounts',
  s.object({
    version: knownVersion('Required field.'),
    account_ids: s.list(s.string(), 'Accounts of the scope of the user.'),
  }),
);

export const users = resourceTable('account-users/', { ...labels, scope: s.string() }, ({ scope }) =>
  userCollection(scope),
).with({ lookups: (user) => nameLookups(userCollection(user.scope), user) });
export type User = RowOf<typeof users>;

export const userCollection = (scope: string): string => `users/${scope}`;

/** The user of an account, by the account, and the accounts of a user. Neither changes the user itself. */
const accountKey = (account: string) => `account-user/${account}`;
const membersKey = (user: string) => `user-accounts/${user}/`;

/** The ID of the user of an account. */
export function userIdOf(storage: Storage, account: string): string | undefined {
  const id = storage.get(accountKey(account));
  return typeof id === 'string' ? id : undefined;
}

/** The IDs of the accounts of a user. */
export function accountsOfUser(storage: Storage, user: string): string[] {
  const prefix = membersKey(user);
  return storage.keys(prefix).map((key) => key.slice(prefix.length));
}

/** The ID of the user that an account gets with its first login, unless it is taken. */
const ownUserId = (account: string): string => `u_${account.slice(account.indexOf('_') + 1)}`;

export const newUserId = (random: (length: number) => Uint8Array): string => `u_${base62(10, random)}`;

/** Gives an account that has no user a new one. @returns the ID of its user */
export function ensureUser(
  batch: ChangeBatch,
  { account, scope }: { readonly account: string; readonly scope: string },
  { now, random }: { readonly now: string; readonly random: (length: number) => Uint8Array },
): string {
  const existing = userIdOf(batch.storage, account);
  if (existing !== undefined) return existing;
  const own = ownUserId(account);
  const id = users.get(batch.storage, own) ? newUserId(random) : own;
  users.create(batch, { id, scope, name: null, description: null }, now);
  attachAccount(batch, id, account);
  return id;
}

/** Users that stand for kinds of callers in roles, as in the product. They cannot be deleted. */
const builtInUsers: { readonly [id: string]: { readonly name: string; readonly description: string } } = {
  u_anon: {
    name: 'anonymous',
    description: 'The anonymous user matches any request, whether authenticated or not',
  },
  u_auth: {
    name: 'authenticated',
    description: 'The authenticated user matches any user that has a valid token',
  },
  u_recovery: {
    name: 'recovery',
    description:
      'The recovery user is used for any request that was performed with the recovery KMS workflow',
  },
};

/** The name of a user that cannot be deleted; undefined: it can. */
export const builtInName = (id: string): string | undefined =>
  Object.hasOwn(builtInUsers, id) ? builtInUsers[id]?.name : undefined;

/** Adds the users that stand for kinds of callers, without a name where another user has it. */
export function ensureBuiltInUsers(batch: ChangeBatch, now: string): void {
  for (const [id, { name, description }] of Object.entries(builtInUsers)) {
    if (users.get(batch.storage, id)) continue;
    const isTaken = isNameTaken(batch.storage, userCollection(globalScope), name);
    users.create(batch, { id, scope: globalScope, name: isTaken ? null : name, description }, now);
  }
}

export function attachAccount(batch: ChangeBatch, user: string, account: string): void {
  batch.add({ key: accountKey(account), value: user }, { key: membersKey(user) + account, value: true });
}

/** Takes an account from its user, if it has one; the user stays. */
export function detachAccount(batch: ChangeBatch, account: string): void {
  const user = userIdOf(batch.storage, account);
  if (user !== undefined) batch.add({ key: accountKey(account) }, { key: membersKey(user) + account });
}

/** Removes a user; its accounts are kept, without a user. */
export function recordUserRemoval(batch: ChangeBatch, user: User, now: Date): void {
  for (const account of accountsOfUser(batch.storage, user.id)) detachAccount(batch, account);
  users.delete(batch, user, now);
}
