import type { AccountsClient } from '../../api/accounts.ts';
import { isInvalidId, isLoginWithoutUser } from '../../api/conditions.ts';
import { command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError, usage } from '../../errors.ts';
import { code, raw, text } from '../../output/document.ts';
import { moment } from '../../output/time.ts';
import { authMethodFlag, authMethodIn } from './auth-method.ts';
import { typeOfId } from './rules.ts';
import { missingMethod } from './versions.ts';

export default command({
  description:
    'The token is stored with the profile, in the keyring or a file of mode 0600, and replaces the one that was there. What is not given is asked for; the password comes from a source, never from the command line. The exit code is 9 when the service does not accept the token that it issued.',
  examples: [
    'lanyard account login --auth-method ampw_1234567890 --login-name admin',
    'lanyard account login --auth-method ampw_1234567890 --login-name ci --password env://CI_PASSWORD --no-store',
  ],
  service: 'accounts',
  writes: true,
  args: {},
  flags: {
    authMethod: authMethodFlag('the auth method, of type password or ldap'),
    loginName: flag.text('NAME', 'the login name of the account'),
    password: flag.text('SRC', 'where the password comes from: -, @FILE or env://NAME', {
      completes: 'file',
    }),
    noStore: flag.boolean('store nothing; print the token'),
  },
  async run({ flags }, ctx) {
    // Before anything is asked or sent: a token that cannot be stored is not made.
    const home = flags.noStore
      ? undefined
      : await ctx.tokens.home('accounts', '--no-store prints the token instead');
    const id = (await authMethodIn(flags.authMethod, ctx)) ?? (await ctx.io.ask('auth method ID: '));
    if (typeOfId(id) === 'oidc')
      throw usage(
        `the auth method ${id} is one of type oidc, and a login name logs in through none of those`,
      );
    const login_name = flags.loginName ?? (await ctx.io.ask('login name: '));
    const password = await ctx.io.secret(flags.password, 'password');
    const accounts = await ctx.api.accounts();
    const { body } = await accounts
      .logIn({ id, command: 'login', type: 'token', attributes: { login_name, password } })
      .catch(inWords(id));
    const { token, ...who } = body.attributes;
    ctx.io.mask(token);
    if (home === undefined) return { data: body, payload: body.attributes, document: [raw(`${token}\n`)] };
    const stored = await ctx.tokens.store(home, token).catch(async (error: unknown) => {
      await destroy(who.id, await ctx.api.accountsWith(token), ctx);
      throw error;
    });
    const data = { profile: home.profile, stored, ...who };
    const storedLine = text(
      'The token is stored with the profile ',
      code(home.profile),
      stored === 'keyring' ? ', in the keyring.' : ', in a file.',
    );
    if (!(await ctx.tokens.confirm(home, token)))
      return { data, document: [storedLine], exitCode: kinds.unknown.code };
    const end = new Date(who.expiration_time ?? '');
    const until = Number.isNaN(end.getTime()) ? '' : `, until ${moment(end)}`;
    return {
      data,
      document: [text('Logged in as ', code(login_name), `${until}.`), storedLine],
    };
  },
});

/** A token that could not be stored is of use to nobody. */
async function destroy(id: string | undefined, accounts: AccountsClient, ctx: Context): Promise<void> {
  try {
    if (id !== undefined) await accounts.deleteAuthToken({ id });
  } catch {
    ctx.io.warn(`the token ${id}, which is not stored, could not be deleted`);
  }
}

/** The service says the same of every login that fails, also when it cannot ask the directory. */
const whyNot = {
  password: 'The login name or the password is wrong, or the account has no password.',
  ldap: 'The login name or the password is wrong, the auth method is inactive, or the service cannot reach the directory.',
};

/** The refusals of a login, in words (docs/protocol/accounts.md#logins-and-ids). */
const inWords =
  (method: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    if (error.status === 401) {
      throw new LanyardError('unauthenticated', `the auth method "${method}" rejected the login (401)`, {
        ...error,
        hint: whyNot[typeOfId(method) === 'ldap' ? 'ldap' : 'password'],
      });
    }
    if (isLoginWithoutUser(error)) {
      throw new LanyardError(
        'not_found',
        `cannot log in: the account has no user, and the auth method "${method}" is not the primary one of its scope (404)`,
        {
          ...error,
          hint: 'Login name and password are right. Add the account to a user, or make the auth method the primary one.',
        },
      );
    }
    if (error.kind === 'not_found' || isInvalidId(error)) return missingMethod(method)(error);
    if (error.kind === 'unknown') {
      throw new LanyardError('unknown', error.message, {
        ...error,
        hint: 'An unused token may have been created; it expires. Log in again.',
      });
    }
    throw error;
  };
