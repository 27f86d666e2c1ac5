import type { Storage } from '../../core/store/storage.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { accountCollection, accounts, recordAccountRemoval } from './accounts.ts';
import { type AuthMethod, authMethods, primaryMethodOf } from './auth-methods.ts';
import {
  type ChangeBatch,
  eachEntry,
  entriesByCreation,
  lastSequence,
  readBatchSize,
  resourceCount,
  writeBatch,
} from './change-log.ts';
import { removeGrantScope, removePrincipal, roleCollection, roles } from './roles.ts';
import { type Scope, scopes, scopeTree } from './scopes.ts';
import { removeMostTokens, removeTokens } from './tokens.ts';
import { accountsOfUser, recordUserRemoval, type User, userCollection, users } from './users.ts';

/** Removes an auth method with its accounts and tokens, in batches; the last batch removes the auth method. */
export async function removeMethod(storage: Storage, method: AuthMethod, now: Date): Promise<void> {
  for (;;) {
    if (!authMethods.get(storage, method.id)) return;
    const entries = entriesByCreation(storage, accountCollection(method.id), '', readBatchSize);
    for (const [, { id }] of entries) await removeMostTokens(storage, id, now);
    const isLast = entries.length < readBatchSize;
    await writeBatch(storage, (batch) => {
      for (const [, { id }] of entries) {
        const account = accounts.get(storage, id);
        if (account) recordAccountRemoval(batch, account, now);
      }
      if (isLast) recordMethodRemoval(batch, method, now);
    });
    if (isLast) return;
    await yieldToEventLoop();
  }
}

function recordMethodRemoval(batch: ChangeBatch, method: AuthMethod, now: Date): void {
  const scope = scopes.get(batch.storage, method.scope);
  if (scope && primaryMethodOf(batch.storage, scope.id) === method.id)
    scopes.write(batch, { ...scope, primary: null, updatedAt: now.toISOString() }, scope);
  authMethods.delete(batch, method, now);
}

/** Scopes that are removed together, each with the users that it has left. */
const scopesOfBatch = 8;

/** Removes a scope with the scopes below it, their auth methods, users and roles. */
export async function removeScope(storage: Storage, scope: Scope, now: Date): Promise<void> {
  const ids = new Set(await scopeTree(storage, scope.id));
  for await (const id of yieldingIterator(authMethods.keys(storage))) {
    const method = authMethods.get(storage, id);
    if (method && ids.has(method.scope)) await removeMethod(storage, method, now);
  }
  for (const id of ids) {
    await removeMostUsers(storage, id, now);
    await removeRoles(storage, id, now);
    await removeGrantScope(storage, id, now.toISOString());
  }
  // Without the first one, which is the scope itself: those below come after those above.
  const below = [...ids].slice(1).reverse();
  for (let at = 0; at < below.length; at += scopesOfBatch) {
    await writeScopeRemovals(storage, below.slice(at, at + scopesOfBatch), now);
    await yieldToEventLoop();
  }
  let tree: readonly string[];
  let sequence: number;
  do {
    sequence = lastSequence(storage);
    tree = await scopeTree(storage, scope.id);
  } while (lastSequence(storage) !== sequence);
  // Read again: scopes may have been added meanwhile.
  await writeScopeRemovals(storage, tree, now);
}

async function writeScopeRemovals(storage: Storage, ids: readonly string[], now: Date): Promise<void> {
  await writeBatch(storage, (batch) => {
    for (const id of ids) {
      const each = scopes.get(storage, id);
      if (!each) continue;
      recordUserRemovals(batch, id, now, Number.POSITIVE_INFINITY);
      scopes.delete(batch, each, now);
    }
  });
  for (const id of ids) {
    // Roles may have been added meanwhile.
    await removeRoles(storage, id, now);
    await removeGrantScope(storage, id, now.toISOString());
  }
}

/** Records the removal of users of a scope. @returns how many */
function recordUserRemovals(batch: ChangeBatch, scope: string, now: Date, limit: number): number {
  const entries = entriesByCreation(batch.storage, userCollection(scope), '', limit);
  for (const [, { id }] of entries) {
    const user = users.get(batch.storage, id);
    if (user) recordUserRemoval(batch, user, now);
  }
  return entries.length;
}

/** Removes the roles of a scope in batches. */
async function removeRoles(storage: Storage, scope: string, now: Date): Promise<void> {
  for (;;) {
    const entries = entriesByCreation(storage, roleCollection(scope), '', readBatchSize);
    if (entries.length === 0) return;
    await writeBatch(storage, (batch) => {
      for (const [, { id }] of entries) {
        const role = roles.get(storage, id);
        if (role) roles.delete(batch, role, now);
      }
    });
    await yieldToEventLoop();
  }
}

/** Removes users of a scope in batches until no more than a batch is left, which is removed with the scope. */
async function removeMostUsers(storage: Storage, scope: string, now: Date): Promise<void> {
  for await (const [, { id }] of yieldingIterator(
    eachEntry(entriesByCreation, storage, userCollection(scope), ''),
  ))
    await removePrincipal(storage, id, now.toISOString());
  while (resourceCount(storage, userCollection(scope)) > readBatchSize) {
    const removed = await writeBatch(storage, (batch) =>
      recordUserRemovals(batch, scope, now, readBatchSize),
    );
    if (removed === 0) return;
    await yieldToEventLoop();
  }
}

/** Removes a user and the tokens of its accounts, which are kept; its roles do not have it any more. */
export async function removeUser(storage: Storage, user: User, now: Date): Promise<void> {
  for (const account of accountsOfUser(storage, user.id)) await removeMostTokens(storage, account, now);
  await removePrincipal(storage, user.id, now.toISOString());
  if (!users.get(storage, user.id)) return;
  await writeBatch(storage, (batch) => {
    for (const account of accountsOfUser(storage, user.id)) removeTokens(batch, account, now);
    recordUserRemoval(batch, user, now);
  });
  // A role may have got the user meanwhile.
  await removePrincipal(storage, user.id, now.toISOString());
}
