import type { HttpResponse } from '../../core/http/http-service.ts';
import type { Typed } from '../../core/operation.ts';
import type { Fields } from '../../core/schema/types.ts';
import { type Call, operations, timeOf } from '../call.ts';
import { InvalidFieldsError, isId, versionMismatch } from '../errors.ts';
import { accounts, accountTypeOf } from '../model/accounts.ts';
import { authMethods } from '../model/auth-methods.ts';
import { nextVersion, writeBatch } from '../model/change-log.ts';
import { removeMostTokens, removeTokens } from '../model/tokens.ts';
import {
  accountsOfUser,
  attachAccount,
  detachAccount,
  type User,
  userAccounts,
  userDetailsSchema,
  userIdOf,
  users,
} from '../model/users.ts';
import { found, responseOf } from '../resource.ts';
import { userDetails } from '../views.ts';
import { requireUser } from './users.ts';

const operation = operations('Users');
const common = {
  body: userAccounts,
  returns: responseOf(userDetailsSchema),
  errors: [404],
} as const;

export const addAccounts = operation('addUserAccounts', 'Add accounts to a user', {
  ...common,
  description: 'The accounts that it already has stay.',
  handle: (call) =>
    changeAccounts(call, 'add-accounts', { mayBeEmpty: false }, (current, given) => [...current, ...given]),
});

export const setAccounts = operation('setUserAccounts', 'Replace the accounts of a user', {
  ...common,
  handle: (call) => changeAccounts(call, 'set-accounts', { mayBeEmpty: true }, (_current, given) => given),
});

export const removeAccounts = operation('removeUserAccounts', 'Remove accounts from a user', {
  ...common,
  handle: (call) =>
    changeAccounts(call, 'remove-accounts', { mayBeEmpty: false }, (current, given) => {
      const other = given.find((id) => !current.includes(id));
      if (other !== undefined) throw invalidAccounts(`Account ${other} is not associated with the user.`);
      return current.filter((id) => !given.includes(id));
    }),
});

type AccountsCall = Call & Typed<Fields, typeof userAccounts>;

/** An account that is removed from a user loses its tokens: they belong to the user. */
async function changeAccounts(
  call: AccountsCall,
  action: string,
  { mayBeEmpty }: { readonly mayBeEmpty: boolean },
  change: (current: readonly string[], given: readonly string[]) => readonly string[],
): Promise<HttpResponse> {
  const { storage, clock } = call.service;
  const { version, given } = await readAccountIds(call, mayBeEmpty);
  const check = () => {
    const { user, access } = requireUser(call, call.params.id ?? '', action);
    if (version !== user.version) throw versionMismatch(user.id, 'User');
    const current = accountsOfUser(storage, user.id);
    const changed = new Set(change(current, given));
    checkAccounts(call, user, changed);
    return { user, access, changed, removed: current.filter((id) => !changed.has(id)) };
  };
  for (const account of check().removed) await removeMostTokens(storage, account, clock());
  // Again: the user may have changed meanwhile.
  const { user, access, changed, removed } = check();
  const updated = await writeBatch(storage, (batch) => {
    for (const account of removed) {
      detachAccount(batch, account);
      removeTokens(batch, account, clock());
    }
    for (const account of changed) attachAccount(batch, user.id, account);
    return users.write(batch, { ...user, ...nextVersion(user, timeOf(call.service)) }, user);
  });
  return found(userDetails(access, updated));
}

/** The version known to the caller, and the IDs of accounts. @throws InvalidFieldsError 400 */
async function readAccountIds({ body, params, problems }: AccountsCall, mayBeEmpty: boolean) {
  const { version, account_ids: given } = await body();
  if (!isId(params.id ?? '', ['u_'])) problems.add('id', 'Incorrectly formatted identifier.');
  if (given.length === 0 && !mayBeEmpty) problems.add('account_ids', 'Must be non-empty.');
  if (given.some((id) => accountTypeOf(id) === undefined))
    problems.add('account_ids', 'Values must be valid account ids.');
  problems.check(problemMessage);
  return { version, given };
}

const problemMessage = 'Errors in provided fields.';

const invalidAccounts = (description: string): InvalidFieldsError =>
  new InvalidFieldsError([{ name: 'account_ids', description }], problemMessage);

/**
 * Each account is of the scope of the user and has no other user; a user has at most one account of an auth method.
 * @throws InvalidFieldsError 400
 */
function checkAccounts(call: Call, user: User, ids: ReadonlySet<string>): void {
  const { storage } = call.service;
  const methods = new Set<string>();
  for (const id of ids) {
    const account = accounts.get(storage, id);
    if (!account || authMethods.get(storage, account.method)?.scope !== user.scope)
      throw invalidAccounts(`Account ${id} does not exist in the scope of the user.`);
    const owner = userIdOf(storage, id);
    if (owner !== undefined && owner !== user.id)
      throw invalidAccounts(`Account ${id} is already associated with another user.`);
    if (methods.has(account.method))
      throw invalidAccounts('A user has at most one account of an auth method.');
    methods.add(account.method);
  }
}
