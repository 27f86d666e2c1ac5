import { hashPassword } from '../../core/password.ts';
import { required, string } from '../../core/schema/types.ts';
import {
  attributesInMethod,
  checkNames,
  checkUpdatable,
  isAttribute,
  isTooShort,
  minLengths,
  newAttributes,
  updatedAttributes,
} from '../attributes.ts';
import { accountsTarget, readAccountType, requireAccount, requireFound, requirePermission } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { invalidField, versionMismatch } from '../errors.ts';
import {
  accountCollection,
  accountSchema,
  accounts,
  accountUpdate,
  checkUnique,
  newAccountId,
  putAccount,
  removeAccount,
} from '../model/accounts.ts';
import { authMethods, methodTypeOf } from '../model/auth-methods.ts';
import { nextVersion } from '../model/change-log.ts';
import { resource } from '../resource.ts';
import { changedPaths, changesIn } from '../update.ts';
import { accountView, viewsOf } from '../views.ts';

const resources = resource({ tag: 'Accounts', name: 'Account', noun: 'an account', schema: accountSchema });

export const listAccounts = resources.list('List accounts of an auth method', {
  query: { auth_method_id: required(string()) },
  read(call, { auth_method_id: id }) {
    if (!methodTypeOf(id)) throw invalidField('auth_method_id', 'Invalid formatted identifier.');
    return { access: requireMethod(call, id, 'list').access, collections: [accountCollection(id)] };
  },
  viewOf: viewsOf(accounts, accountView),
});

export const getAccount = resources.get((call) => {
  const { account, access } = requireAccount(call, 'read');
  return accountView(access, account);
});

/** As in the product, the form is checked first, then the auth method, the caller, and what depends on the method. */
export const createAccount = resources.create(async (call) => {
  const { problems, service } = call;
  const { storage, random, scryptCost } = service;
  const { auth_method_id: methodId, ...body } = await call.body();
  const type = methodTypeOf(methodId);
  if (methodId === '') throw invalidField('auth_method_id', 'This field is required.');
  if (!type) throw invalidField('auth_method_id', 'Unknown auth method type from ID.');
  if (body.type && body.type !== type) problems.add('type', "Doesn't match the parent resource's type.");
  const given = problems.has('attributes') ? {} : newAttributes(type, body.attributes, problems);
  problems.check();
  const { method } = requireMethod(call, methodId, 'create');
  const attributes = attributesInMethod(method, given, problems);
  // Without a password, the account cannot log in until it is set.
  const { password } = given;
  if (password !== undefined && isTooShort(password, minLengths(method).password))
    problems.add('attributes.password', 'Password is too short.');
  problems.check();
  const { name, description } = body;
  const draft = { name, description, type, method: methodId, id: newAccountId(type, random), attributes };
  checkUnique(storage, draft);
  const hash = password === undefined ? null : await hashPassword(password, random, scryptCost);
  // The auth method may have been deleted meanwhile.
  const { access } = requireMethod(call, methodId, 'create');
  const now = timeOf(service);
  const account = { ...draft, version: 1, createdAt: now, updatedAt: now, password: hash };
  return accountView(access, await putAccount(storage, account));
});

/** An auth method whose accounts the caller may list or create. @throws HttpError 401, 403, 404 */
function requireMethod(call: Call, id: string, action: 'list' | 'create') {
  const method = requireFound(authMethods.get(call.service.storage, id));
  return { method, access: requirePermission(call, { ...accountsTarget(method), action }) };
}

export const updateAccount = resources.update(accountUpdate, async (call) => {
  const { problems, service } = call;
  const { storage } = service;
  const body = await call.body();
  const { version, attributes: sent } = body;
  const type = readAccountType(call, 'Improperly formatted path identifier.');
  const paths = changedPaths(call.query(), body);
  const labels = changesIn(body, ['name', 'description'], paths);
  const names = paths
    .map((path) => /^attributes\.(.+)$/.exec(path)?.[1] ?? '')
    .filter((name) => isAttribute(name));
  if (type !== undefined) {
    if (body.type && body.type !== type) problems.add('type', 'Cannot modify the resource type.');
    checkNames(type, sent ?? {});
    checkUpdatable(type, names, problems);
  }
  problems.check();
  const { account, method, access } = requireAccount(call, 'update');
  if ((body.auth_method_id ?? account.method) !== account.method)
    problems.add('auth_method_id', 'This is a read only field.');
  if (Object.keys(labels).length + names.length === 0)
    problems.add('update_mask', 'No valid fields provided in the update mask.');
  const attributes = updatedAttributes(account, method, sent, names, problems);
  problems.check();
  if (version !== account.version) throw versionMismatch(account.id);
  const updated = { ...account, ...labels, attributes, ...nextVersion(account, timeOf(service)) };
  return accountView(access, await putAccount(storage, updated, account));
});

export const deleteAccount = resources.remove(async (call) => {
  const { account } = requireAccount(call, 'delete', 'Incorrectly formatted identifier.');
  await removeAccount(call.service.storage, account.id, call.service.clock());
});
