import type { Storage } from '../core/store/storage.ts';
import { accounts } from './model/accounts.ts';
import { authMethods } from './model/auth-methods.ts';
import { ChangeBatch } from './model/change-log.ts';
import { globalScope } from './model/scopes.ts';
import { tokenCollection, tokens } from './model/tokens.ts';
import { ensureUser } from './model/users.ts';

/** In data of earlier releases, a key below this prefix marks an account that has a user. */
const userMarks = 'users/';

/** Brings data of earlier releases up to date: users and tokens were not recorded in the change log. */
export async function upgradeData(
  storage: Storage,
  parts: { readonly now: string; readonly random: (length: number) => Uint8Array },
): Promise<void> {
  const marks = storage.keys(userMarks);
  const unrecorded = tokens.values(storage).filter(({ created }) => created === undefined);
  if (marks.length + unrecorded.length === 0) return;
  const batch = new ChangeBatch(storage);
  for (const key of marks) {
    const account = key.slice(userMarks.length);
    if (accounts.get(storage, account))
      ensureUser(batch, { account, scope: scopeOfAccount(storage, account) }, parts);
    batch.add({ key });
  }
  for (const token of unrecorded.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    const scope = scopeOfAccount(storage, token.account);
    const entry = { id: token.id, updatedAt: token.createdAt };
    const created = batch.recordChange(tokenCollection(scope), entry, undefined);
    batch.add(tokens.put(token.id, { ...token, scope, created }));
  }
  await batch.write();
}

const scopeOfAccount = (storage: Storage, account: string): string =>
  authMethods.get(storage, accounts.get(storage, account)?.method ?? '')?.scope ?? globalScope;
