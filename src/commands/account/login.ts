import type { AccountsClient, Login } from '../../api/accounts.ts';
import { command, flag, toKebabCase, type Values } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { noteLogin, storedLine } from '../../command/login-lines.ts';
import { kinds, usage } from '../../errors.ts';
import { code, raw, text } from '../../output/document.ts';
import { timestampText } from '../../output/humanize.ts';
import { accountTypeOfId } from './lib/account-types.ts';
import { authMethodFlag, findAuthMethod } from './lib/auth-method.ts';
import { logInWithBrowser } from './lib/oidc-login.ts';
import { withoutScope } from './lib/own-token.ts';
import { logInWithPassword } from './lib/password-login.ts';

const passwordFlags = {
  loginName: flag.text('NAME', 'password, ldap: login name of the account'),
  password: flag.source('password, ldap: source of the password'),
} as const;
const oidcFlags = {
  noBrowser: flag.boolean('oidc: print the URL instead of opening a browser'),
  wait: flag.duration('oidc: time to wait for the browser (default 5m)'),
} as const;

export default command({
  description:
    'Stores the token with the profile, in the keyring or a file of mode 0600, and replaces an existing one. With an auth method of type oidc the login is in the browser; else missing values are prompted for. The exit code is 9 if the service rejects the token that it issued.',
  examples: [
    'lanyard account login --login-name admin',
    'lanyard account login --auth-method ampw_1234567890 --login-name ci-deploy --password env://CI_PASSWORD --no-store',
    'lanyard account login --auth-method amoidc_1234567890',
  ],
  service: 'accounts',
  writes: true,
  changes: ['profiles', 'tokens', 'account token', 'account user'],
  flags: {
    authMethod: authMethodFlag('auth method'),
    ...passwordFlags,
    ...oidcFlags,
    noStore: flag.boolean('print the token instead of storing it'),
  },
  async run({ flags }, ctx) {
    // Before any prompt or request: no token is issued that cannot be stored.
    const location = flags.noStore
      ? undefined
      : await ctx.profile.tokens.locate('accounts', '--no-store prints the token instead');
    const id = (await findAuthMethod(flags.authMethod, ctx)) ?? (await ctx.input.ask('auth method ID: '));
    const { name, body } = await logIn(id, flags, ctx);
    const { token, ...who } = body.attributes;
    ctx.output.mask(token);
    if (location === undefined)
      return { data: body, payload: withoutScope(body.attributes), document: [raw(`${token}\n`)] };
    const stored = await ctx.profile.tokens
      .store(location, token, {
        command: 'account login',
        flags: {
          ...flags,
          authMethod: id,
          noStore: false,
          ...(flags.loginName === undefined && name !== id ? { loginName: name } : {}),
        },
        sources: ['password'],
        validUntil: who.expiration_time,
      })
      .catch(async (error: unknown) => {
        await deleteToken(who.id, await ctx.api.accounts({ token }), ctx);
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
      document: [text('Logged in as ', code(name), `${until}.`), storedAt],
    };
  },
});

type LoginFlags = Values<typeof passwordFlags> & Values<typeof oidcFlags>;

/**
 * Logs in as the type of the auth method requires.
 * @returns the login name or the account ID, and the response.
 */
async function logIn(
  id: string,
  flags: LoginFlags,
  ctx: Context,
): Promise<{ readonly name: string; readonly body: Login }> {
  const type = accountTypeOfId(id) ?? 'password';
  const unsupported = Object.keys(type === 'oidc' ? passwordFlags : oidcFlags) as (keyof LoginFlags)[];
  const given = unsupported.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (given !== undefined) {
    const message = `--${toKebabCase(given)} is not supported by auth methods of type ${type}`;
    throw usage(message, { hint: `The auth method is ${id}.` });
  }
  if (type === 'oidc') {
    const login = { id, opensBrowser: !flags.noBrowser, wait: flags.wait ?? '5m' };
    const body = await logInWithBrowser(login, ctx);
    return { name: body.attributes.account_id ?? id, body };
  }
  await noteLogin('accounts', [flags.loginName, flags.password], ctx);
  const loginName = flags.loginName ?? (await ctx.input.ask('login name: '));
  const password = await ctx.input.readSecret(flags.password, 'password');
  const body = await logInWithPassword(await ctx.api.accounts(), { id, loginName, password });
  return { name: loginName, body };
}

async function deleteToken(id: string | undefined, accounts: AccountsClient, ctx: Context): Promise<void> {
  try {
    if (id !== undefined) await accounts.deleteAuthToken({ id });
  } catch {
    ctx.output.warn(`cannot delete the token ${id}, which could not be stored`);
  }
}
