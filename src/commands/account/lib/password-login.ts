import type { AccountsClient, Login } from '../../../api/accounts.ts';
import { isInvalidId, isLoginWithoutUser } from '../../../api/conditions/accounts.ts';
import { LanyardError, notFound } from '../../../errors.ts';
import { shellWord } from '../../../wire/printable.ts';
import { accountTypeOfId } from './account-types.ts';
import { describeMissingMethod } from './errors.ts';

interface PasswordLogin {
  readonly id: string;
  readonly loginName: string;
  readonly password: string;
}

/** Logs in with an auth method of type password or ldap. */
export async function logInWithPassword(
  accounts: AccountsClient,
  { id, loginName: login_name, password }: PasswordLogin,
): Promise<Login> {
  const { body } = await accounts
    .logIn({ id, command: 'login', type: 'token', attributes: { login_name, password } })
    .catch(describeLoginError(id, login_name));
  return body;
}

/** The service rejects every failed login in the same way, even if it cannot reach the directory. */
const rejectionCauses = {
  password: 'Check the login name and the password. The account may have no password.',
  ldap: 'Check the login name and the password. The auth method may be inactive, or the directory unreachable.',
};

/** Rejects with the reason a login failed (docs/protocol/accounts.md#logins-and-ids). */
const describeLoginError =
  (method: string, loginName: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    if (error.status === 401) {
      const message = `cannot log in: auth method "${method}" rejected the login (401)`;
      const hint = rejectionCauses[accountTypeOfId(method) === 'ldap' ? 'ldap' : 'password'];
      throw new LanyardError('unauthenticated', message, { ...error, hint });
    }
    if (isLoginWithoutUser(error)) {
      const cause = `the account has no user, and auth method "${method}" is not the primary one of its scope`;
      throw notFound(`cannot log in: ${cause} (404)`, {
        ...error,
        hint: `The login name and password are correct. An administrator can run \`lanyard account user add-accounts USER ${shellWord(loginName)} --auth-method ${method}\`.`,
      });
    }
    if (error.kind === 'not_found' || isInvalidId(error)) return describeMissingMethod(method)(error);
    throw describeUnknownLogin(error);
  };

/** The error with a hint, if a token may have been issued. */
export const describeUnknownLogin = (error: LanyardError): LanyardError =>
  error.kind === 'unknown'
    ? error.withHint('Log in again. An unused token may have been issued; it expires.')
    : error;
