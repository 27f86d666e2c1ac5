import { type Answer, HttpRefusal, jsonAnswer } from '../../http/service.ts';
import { hashPassword, type PasswordHash, passwordMatches } from '../../password.ts';
import { accountOfPath } from '../access.ts';
import { isTooShort, minimums } from '../attributes.ts';
import { type Call, timeOf } from '../http/call.ts';
import { bodyOf, type Fields } from '../http/fields.ts';
import { badField, FieldRefusal, notFound, staleVersion } from '../http/refusals.ts';
import { type Account, putAccount } from '../state/accounts.ts';
import { methodOf } from '../state/auth-methods.ts';
import { accountView } from '../views.ts';
import { requiredVersion } from './accounts.ts';

/**
 * Sets the password of an account whatever it was; an empty one removes it.
 * @throws HttpRefusal 400, 401, 403, 404: not there, or its version is another one
 */
export async function setPassword(call: Call): Promise<Answer> {
  passwordAccount(call, 'manage');
  const body = await bodyOf(call.request);
  const account = passwordAccount(call, 'manage');
  const version = requiredVersion(body);
  const password = body.text('password');
  if (!body.has('password')) body.problem('password', 'This is a required field.');
  if (password !== null) checkLength(call, account, password, body, 'password');
  body.check();
  checkVersion(account, version);
  const hash = password === null ? null : await hashPassword(password, call.service.random);
  return replaced(call, 'manage', version, hash);
}

/**
 * Changes the password of an account for somebody who knows it.
 * @throws HttpRefusal 400, 401, 403: also of a wrong password; 404: not there, or its version is another one
 */
export async function changePassword(call: Call): Promise<Answer> {
  passwordAccount(call, 'change-password');
  const { random } = call.service;
  const body = await bodyOf(call.request);
  const account = passwordAccount(call, 'change-password');
  const version = requiredVersion(body);
  const current = body.required('current_password');
  const wanted = body.required('new_password');
  if (wanted !== '') checkLength(call, account, wanted, body, 'new_password');
  body.check();
  if (wanted.normalize('NFC') === current.normalize('NFC')) throw equalPasswords();
  checkVersion(account, version);
  if (!(await passwordMatches(current, account.password)))
    throw new HttpRefusal(403, 'Failed to change password.');
  return replaced(call, 'change-password', version, await hashPassword(wanted, random));
}

/** The account with another password. It is looked at anew: to hash takes a while. */
async function replaced(
  call: Call,
  action: Action,
  version: number,
  password: PasswordHash | null,
): Promise<Answer> {
  const account = passwordAccount(call, action);
  checkVersion(account, version);
  const updated = { ...account, password, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonAnswer(200, accountView(call, await putAccount(call.service.storage, updated, account)));
}

type Action = Exclude<Parameters<typeof accountOfPath>[1], 'read'>;

/** @throws HttpRefusal 400: an account of another type; 401, 403, 404 */
function passwordAccount(call: Call, action: Action): Account {
  const malformed = 'Improperly formatted identifier.';
  const account = accountOfPath(call, action, malformed);
  if (account.type !== 'password') throw badField('id', malformed);
  return account;
}

/** @throws HttpRefusal 404 */
function checkVersion(account: Account, version: number): void {
  if (account.version !== version) throw staleVersion(account.id);
}

function checkLength(
  { service }: Call,
  account: Account,
  password: string,
  body: Fields,
  field: 'password' | 'new_password',
): void {
  const method = methodOf(service.storage, account.method);
  if (!method) throw notFound();
  if (isTooShort(password, minimums(method).password)) body.problem(field, 'Password is too short.');
}

function equalPasswords(): FieldRefusal {
  const description = 'New password equal to current password.';
  return new FieldRefusal([{ name: 'new_password', description }], description);
}
