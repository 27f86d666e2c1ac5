import { HttpError, type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { hashPassword, type PasswordHash, passwordMatches } from '../../core/password.ts';
import { isTooShort, minLengths } from '../attributes.ts';
import { requireAccount } from '../auth.ts';
import { type Fields, readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { InvalidFieldsError, invalidField, notFound, versionMismatch } from '../errors.ts';
import { type Account, putAccount } from '../model/accounts.ts';
import { methodOf } from '../model/auth-methods.ts';
import { accountView } from '../views.ts';
import { readVersion } from './accounts.ts';

/**
 * Sets the password of an account without the current one; an empty password removes it.
 * @throws HttpError 400, 401, 403, 404: not found, or a version mismatch
 */
export async function setPassword(call: Call): Promise<HttpResponse> {
  requirePasswordAccount(call, 'manage');
  const { random, scryptCost } = call.service;
  const body = await readBody(call.request);
  const account = requirePasswordAccount(call, 'manage');
  const version = readVersion(body);
  const password = body.string('password') ?? null;
  if (!body.has('password')) body.addProblem('password', 'This is a required field.');
  if (password !== null) checkLength(call, account, password, body, 'password');
  body.check();
  checkVersion(account, version);
  const hash = password === null ? null : await hashPassword(password, random, scryptCost);
  return savePassword(call, 'manage', version, hash);
}

/**
 * Changes the password of an account; requires the current one.
 * @throws HttpError 400, 401, 403: also for a wrong password; 404: not found, or a version mismatch
 */
export async function changePassword(call: Call): Promise<HttpResponse> {
  requirePasswordAccount(call, 'change-password');
  const { random, scryptCost } = call.service;
  const body = await readBody(call.request);
  const account = requirePasswordAccount(call, 'change-password');
  const version = readVersion(body);
  const current = body.required('current_password');
  const newPassword = body.required('new_password');
  if (newPassword !== '') checkLength(call, account, newPassword, body, 'new_password');
  body.check();
  if (newPassword.normalize('NFC') === current.normalize('NFC')) throw samePasswordError();
  checkVersion(account, version);
  if (!(await passwordMatches(current, account.password)))
    throw new HttpError(403, 'Failed to change password.');
  const hash = await hashPassword(newPassword, random, scryptCost);
  return savePassword(call, 'change-password', version, hash);
}

/** Stores a password in the account, which is read again: it may have changed while the password was hashed. */
async function savePassword(
  call: Call,
  action: Action,
  version: number,
  password: PasswordHash | null,
): Promise<HttpResponse> {
  const account = requirePasswordAccount(call, action);
  checkVersion(account, version);
  const updated = { ...account, password, version: version + 1, updatedAt: timeOf(call.service) };
  return jsonResponse(200, accountView(call, await putAccount(call.service.storage, updated, account)));
}

type Action = Exclude<Parameters<typeof requireAccount>[1], 'read'>;

/** @throws HttpError 400: an account of another type; 401, 403, 404 */
function requirePasswordAccount(call: Call, action: Action): Account {
  const malformed = 'Improperly formatted identifier.';
  const account = requireAccount(call, action, malformed);
  if (account.type !== 'password') throw invalidField('id', malformed);
  return account;
}

/** @throws HttpError 404 */
function checkVersion(account: Account, version: number): void {
  if (account.version !== version) throw versionMismatch(account.id);
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
  if (isTooShort(password, minLengths(method).password)) body.addProblem(field, 'Password is too short.');
}

function samePasswordError(): InvalidFieldsError {
  const description = 'New password equal to current password.';
  return new InvalidFieldsError([{ name: 'new_password', description }], description);
}
