import * as s from '../../core/store/schema.ts';
import type { Storage } from '../../core/store/storage.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { type ChangeBatch, resourceFields } from './change-log.ts';

/** Users by ID. Each account that has logged in to a primary auth method has its own. */
export const users = table('account-users/', { ...resourceFields, scope: s.string, account: s.string });
export type User = RowOf<typeof users>;

export const userCollection = (scope: string): string => `users/${scope}`;

export const userOf = (storage: Storage, id: string) => users.get(storage, id);

/** The ID of the user of an account, whether or not it exists. */
export const userIdOf = (account: string): string => `u_${account.slice(account.indexOf('_') + 1)}`;

/** Whether the account has a user; it gets one with the first login to a primary auth method. */
export const hasUser = (storage: Storage, account: string): boolean =>
  userOf(storage, userIdOf(account)) !== undefined;

/** Gives an account a user, if it has none. */
export function addUser(
  batch: ChangeBatch,
  { account, scope }: Pick<User, 'account' | 'scope'>,
  now: string,
): void {
  if (hasUser(batch.storage, account)) return;
  const draft = { id: userIdOf(account), account, scope };
  const user = batch.recordCreation(userCollection(scope), draft, now);
  batch.add(users.put(user.id, user));
}

/** Removes the user of an account, if it has one. */
export function removeUser(batch: ChangeBatch, account: string, now: Date): void {
  const user = userOf(batch.storage, userIdOf(account));
  if (!user) return;
  batch.recordRemoval(userCollection(user.scope), user, now);
  batch.add(users.remove(user.id));
}
