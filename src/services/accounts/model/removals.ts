import type { Storage } from '../../core/store/storage.ts';
import { accountCollection, accountOf, recordAccountRemoval } from './accounts.ts';
import { type AuthMethod, authMethods, methodCollection, methodOf, primaryMethodOf } from './auth-methods.ts';
import { ChangeBatch, entriesByCreation, readBatchSize } from './change-log.ts';
import { recordScopeChange, type Scope, scopeCollection, scopeOf, scopes, scopeTree } from './scopes.ts';
import { removeTokens } from './tokens.ts';
import { accountsOfUser, recordUserRemoval, type User, users } from './users.ts';

/**
 * Removes an auth method with its accounts and their tokens. Accounts are removed in batches, so that none
 * blocks for long; the auth method goes with the last one.
 */
export async function removeMethod(storage: Storage, method: AuthMethod, now: Date): Promise<void> {
  for (;;) {
    if (!methodOf(storage, method.id)) return;
    const batch = new ChangeBatch(storage);
    const entries = entriesByCreation(storage, accountCollection(method.id), '', readBatchSize);
    for (const [, { id }] of entries) {
      const account = accountOf(storage, id);
      if (account) recordAccountRemoval(batch, account, now);
    }
    const isLast = entries.length < readBatchSize;
    if (isLast) recordMethodRemoval(batch, method, now);
    await batch.write();
    if (isLast) return;
  }
}

function recordMethodRemoval(batch: ChangeBatch, method: AuthMethod, now: Date): void {
  const scope = scopeOf(batch.storage, method.scope);
  if (scope && primaryMethodOf(batch.storage, scope.id) === method.id)
    recordScopeChange(batch, { ...scope, primary: null, updatedAt: now.toISOString() }, scope);
  batch.recordRemoval(methodCollection(method.scope), method, now);
  batch.add(authMethods.remove(method.id));
}

/** Removes a scope with the scopes below it, their auth methods and users. */
export async function removeScope(storage: Storage, scope: Scope, now: Date): Promise<void> {
  const ids = scopeTree(storage, scope.id);
  for (const method of authMethods.values(storage))
    if (ids.includes(method.scope)) await removeMethod(storage, method, now);
  const batch = new ChangeBatch(storage);
  // Read again: scopes may have been added meanwhile.
  for (const id of scopeTree(storage, scope.id)) {
    const each = scopeOf(storage, id);
    if (!each) continue;
    for (const user of users.values(storage)) if (user.scope === id) recordUserRemoval(batch, user, now);
    batch.recordRemoval(scopeCollection(each.parent), each, now);
    batch.add(scopes.remove(id));
  }
  await batch.write();
}

/** Removes a user and the tokens of its accounts, which are kept. */
export function removeUser(storage: Storage, user: User, now: Date): Promise<void> {
  const batch = new ChangeBatch(storage);
  for (const account of accountsOfUser(storage, user.id)) removeTokens(batch, account, now);
  recordUserRemoval(batch, user, now);
  return batch.write();
}
