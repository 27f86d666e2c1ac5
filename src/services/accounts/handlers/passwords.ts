import { HttpError } from '../../core/http/http-service.ts';
import { hashPassword, type PasswordHash, passwordMatches } from '../../core/password.ts';
import { named, object, required, string } from '../../core/schema/types.ts';
import { isTooShort, minLengths } from '../attributes.ts';
import { readAccountType, requireAccount } from '../auth.ts';
import { type Call, operations, timeOf } from '../call.ts';
import { InvalidFieldsError, notFound, versionMismatch } from '../errors.ts';
import { type Account, accountSchema, putAccount } from '../model/accounts.ts';
import { authMethods } from '../model/auth-methods.ts';
import { nextVersion } from '../model/change-log.ts';
import { anyText, knownVersion } from '../model/fields.ts';
import { found, responseOf } from '../resource.ts';
import { accountView } from '../views.ts';

const operation = operations('Accounts');
const requiredField = 'This is a required field.';

export const setPassword = operation('setPassword', 'Set the password of an account', {
  body: named(
    'SetPassword',
    object({
      version: knownVersion(),
      password: required(anyText('Empty: the account cannot log in.'), requiredField),
    }),
  ),
  returns: responseOf(accountSchema),
  errors: [404],
  async handle(call) {
    const { problems, service } = call;
    const { version, password } = await call.body();
    checkPasswordAccountId(call);
    problems.check();
    const { account } = requireAccount(call, 'set-password');
    if (password !== '') checkLength(call, account, password, 'password');
    problems.check();
    checkVersion(account, version);
    const hash = password === '' ? null : await hashPassword(password, service.random, service.scryptCost);
    return savePassword(call, 'set-password', version, hash);
  },
});

export const changePassword = operation(
  'changePassword',
  'Change the password of an account with its current one',
  {
    body: named(
      'ChangePassword',
      object({
        version: knownVersion(),
        current_password: required(string(), requiredField),
        new_password: required(string(), requiredField),
      }),
    ),
    returns: responseOf(accountSchema),
    errors: [404],
    async handle(call) {
      const { problems, service } = call;
      const { version, current_password: current, new_password: newPassword } = await call.body();
      checkPasswordAccountId(call);
      problems.check();
      const { account } = requireAccount(call, 'change-password');
      if (newPassword.normalize('NFC') === current.normalize('NFC')) throw samePasswordError();
      if (!(await passwordMatches(current, account.password)))
        throw new HttpError(403, 'Failed to change password.');
      checkLength(call, account, newPassword, 'new_password');
      problems.check();
      checkVersion(account, version);
      const hash = await hashPassword(newPassword, service.random, service.scryptCost);
      return savePassword(call, 'change-password', version, hash);
    },
  },
);

/** Stores a password in the account, which is read again: it may have changed while the password was hashed. */
async function savePassword(
  call: Call,
  action: 'set-password' | 'change-password',
  version: number,
  password: PasswordHash | null,
) {
  const { account, access } = requireAccount(call, action);
  checkVersion(account, version);
  const updated = { ...account, password, ...nextVersion(account, timeOf(call.service)) };
  return found(accountView(access, await putAccount(call.service.storage, updated, account)));
}

/** Collects a problem if the path is not the ID of an account of type password. */
function checkPasswordAccountId(call: Call): void {
  const malformed = 'Improperly formatted identifier.';
  const type = readAccountType(call, malformed);
  if (type !== undefined && type !== 'password') call.problems.add('id', malformed);
}

/** @throws HttpError 404 */
function checkVersion(account: Account, version: number): void {
  if (account.version !== version) throw versionMismatch(account.id);
}

function checkLength(
  { problems, service }: Call,
  account: Account,
  password: string,
  field: 'password' | 'new_password',
): void {
  const method = authMethods.get(service.storage, account.method);
  if (!method) throw notFound();
  if (isTooShort(password, minLengths(method).password)) problems.add(field, 'Password is too short.');
}

function samePasswordError(): InvalidFieldsError {
  const description = 'New password equal to current password.';
  return new InvalidFieldsError([{ name: 'new_password', description }], description);
}
