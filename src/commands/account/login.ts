import type { AccountsClient } from '../../api/accounts.ts';
import { isInvalidId, isLoginWithoutUser } from '../../api/conditions.ts';
import { command, flag, storedLine } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { kinds, LanyardError, notFound, usage } from '../../errors.ts';
import { code, raw, text } from '../../output/document.ts';
import { timestampText } from '../../output/humanize.ts';
import { accountTypeOfId } from './lib/account-types.ts';
import { authMethodFlag, findAuthMethod } from './lib/auth-method.ts';
import { withoutScope } from './lib/own-token.ts';
import { describeMissingMethod } from './lib/versioned-update.ts';

export default command({
  description:
    'Stores the token with the profile, in the keyring or a file of mode 0600, and replaces an existing one. Missing values are prompted for; give the password as "-", "@FILE" or "env://NAME". The exit code is 9 if the service rejects the token that it issued.',
  examples: [
    'lanyard account login --login-name admin',
    'lanyard account login --auth-method ampw_1234567890 --login-name ci-deploy --password env://CI_PASSWORD --no-store',
  ],
  service: 'accounts',
  writes: true,
  args: {},
  flags: {
    authMethod: authMethodFlag('auth method of type password or ldap'),
    loginName: flag.text('NAME', 'login name of the account'),
    password: flag.source('source of the password'),
    noStore: flag.boolean('print the token instead of storing it'),
  },
  async run({ flags }, ctx) {
    // Before any prompt or request: no token is issued that cannot be stored.
    const location = flags.noStore
      ? undefined
      : await ctx.profile.tokens.locate('accounts', '--no-store prints the token instead');
    const id = (await findAuthMethod(flags.authMethod, ctx)) ?? (await ctx.input.ask('auth method ID: '));
    if (accountTypeOfId(id) === 'oidc')
      throw usage(`cannot log in with auth method "${id}": logins of type oidc are not supported`);
    const login_name = flags.loginName ?? (await ctx.input.ask('login name: '));
    const password = await ctx.input.readSecret(flags.password, 'password');
    const accounts = await ctx.api.accounts();
    const { body } = await accounts
      .logIn({ id, command: 'login', type: 'token', attributes: { login_name, password } })
      .catch(describeLoginError(id));
    const { token, ...who } = body.attributes;
    ctx.output.mask(token);
    if (location === undefined)
      return { data: body, payload: withoutScope(body.attributes), document: [raw(`${token}\n`)] };
    const stored = await ctx.profile.tokens.store(location, token).catch(async (error: unknown) => {
      await deleteToken(who.id, await ctx.api.accountsWith(token), ctx);
      throw error;
    });
    const data = { profile: location.profile, stored, ...who };
    const storedAt = storedLine(location.profile, stored);
    if (!(await ctx.profile.tokens.confirm(location, token)))
      return { data, payload: withoutScope(data), document: [storedAt], exitCode: kinds.unknown.code };
    const end = timestampText(who.expiration_time);
    const until = end === undefined ? '' : `, until ${end}`;
    return {
      data,
      payload: withoutScope(data),
      document: [text('Logged in as ', code(login_name), `${until}.`), storedAt],
    };
  },
});

async function deleteToken(id: string | undefined, accounts: AccountsClient, ctx: Context): Promise<void> {
  try {
    if (id !== undefined) await accounts.deleteAuthToken({ id });
  } catch {
    ctx.output.warn(`cannot delete the token ${id}, which could not be stored`);
  }
}

/** The service rejects every failed login in the same way, even if it cannot reach the directory. */
const rejectionCauses = {
  password: 'Check the login name and the password. The account may have no password.',
  ldap: 'Check the login name and the password. The auth method may be inactive, or the directory unreachable.',
};

/** Rejects with the reason a login failed (docs/protocol/accounts.md#logins-and-ids). */
const describeLoginError =
  (method: string) =>
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
        hint: 'The login name and password are correct. Add the account to a user, or make the auth method primary.',
      });
    }
    if (error.kind === 'not_found' || isInvalidId(error)) return describeMissingMethod(method)(error);
    throw error.kind === 'unknown'
      ? error.withHint('Log in again. An unused token may have been issued; it expires.')
      : error;
  };
