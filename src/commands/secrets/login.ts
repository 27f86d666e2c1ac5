import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { storedLine } from '../../command/login-lines.ts';
import type { TokenLocation } from '../../command/profile-store.ts';
import { loginFlags } from '../../command/remembered-login.ts';
import { kinds, usage } from '../../errors.ts';
import { raw, text } from '../../output/document.ts';
import { formatTimestamp } from '../../output/humanize.ts';
import { compact, memberOf } from '../../wire/objects.ts';
import { type Login, logIn } from './lib/log-in.ts';
import { type LoginFlags, type Method, methodFlags, methods, rejectOtherFlags } from './lib/login-flags.ts';

export default command({
  description:
    'Stores the token with the profile, in the keyring or a file of mode 0600; if none is active, creates profile "default" for BAO_ADDR or VAULT_ADDR. Give secrets as "-", "@FILE" or "env://NAME"; missing ones are prompted for, and method oidc opens the browser (the role must allow http://localhost:8250/oidc/callback). The exit code is 9 if the service rejects the token that it issued.',
  examples: [
    'lanyard secrets login --token - < token.txt',
    'lanyard secrets login --method userpass --username bob',
    'lanyard secrets login --method approle --role-id ci --secret-id env://SECRET_ID',
    'lanyard secrets login --method jwt --role deploy --jwt env://CI_JOB_JWT --no-store',
    'lanyard secrets login --method oidc --role ops',
    'lanyard secrets login --method ldap --username bob',
    'lanyard secrets login --method kubernetes --role web',
    'lanyard secrets login --method cert --role host',
  ],
  service: 'secrets',
  writes: true,
  changes: ['profiles', 'tokens', 'secrets token', 'secrets identity'],
  args: {
    token: arg.optional('SRC', 'token: source of the token, as --token', { completes: 'file' }),
  },
  flags: {
    method: flag.choice(methods, 'login method (default: of the profile, else token)'),
    ...methodFlags,
    noStore: flag.boolean('print the token instead of storing it'),
  },
  async run({ args, flags: { token, ...others } }, ctx) {
    if (args.token !== undefined && token !== undefined)
      throw usage('--token cannot be combined with a source');
    const given = { ...others, token: token ?? args.token };
    if (given.method !== undefined) rejectOtherFlags(given.method, given);
    // Before any prompt or request: no token is issued that cannot be stored.
    const location = given.noStore
      ? undefined
      : await ctx.profile.tokens.locate('secrets', '--no-store prints the token instead');
    const flags = { ...given, ...(await rememberedFlags(given, location, ctx)), ...compact(given) };
    const method = flags.method ?? 'token';
    rejectOtherFlags(method, flags);
    const login = await logIn(method, flags, ctx);
    ctx.output.mask(login.token);
    const who = { displayName: login.displayName, policies: login.policies, validUntil: login.validUntil };
    if (location === undefined)
      return { data: { ...who, token: login.token }, document: [raw(`${login.token}\n`)] };
    const storage = await ctx.profile.tokens.store(location, login.token, {
      command: 'secrets login',
      flags: { ...flags, method, noStore: false, ...userNameOf(method, login) },
      sources: ['token', 'password', 'secretId', 'jwt'],
      validUntil: login.validUntil,
    });
    const data = { profile: location.profile, stored: storage, ...who };
    const stored = storedLine(location.profile, storage);
    if (!login.isConfirmed && !(await ctx.profile.tokens.confirm(location, login.token)))
      return { data, document: [stored], exitCode: kinds.unknown.code };
    const until =
      login.validUntil === null ? 'without expiry' : `until ${formatTimestamp(new Date(login.validUntil))}`;
    return {
      data,
      document: [
        text(
          `Logged in${login.displayName === null ? '' : ` as ${login.displayName}`}, ${until}, with `,
          login.policies.length === 0 ? 'no policies' : `policies ${login.policies.join(', ')}`,
          '.',
        ),
        stored,
      ],
    };
  },
});

/**
 * The flags of the login that the profile remembers, if the command line has no method and no token. A remembered
 * source of a secret is sent only to an address of the profile, which --no-store does not check.
 */
async function rememberedFlags(
  { method, token }: { readonly method: Method | undefined; readonly token: string | undefined },
  location: TokenLocation | undefined,
  ctx: Context,
): Promise<Partial<LoginFlags> & { readonly method?: Method }> {
  if (method !== undefined || token !== undefined || location === undefined) return {};
  const { profiles } = await ctx.profile.read();
  const login = memberOf(profiles, location.profile)?.secrets?.login;
  const remembered = methods.find((each) => each === login?.method);
  if (login === undefined || remembered === undefined) return {};
  ctx.output.note(`Using the login method ${remembered} of profile ${location.profile}.`);
  const { callbackPort, ...flags } = loginFlags('secrets', login);
  return {
    ...flags,
    method: remembered,
    ...(callbackPort === undefined ? {} : { callbackPort: Number(callbackPort) }),
  };
}

/** The user name of a login, which may have been prompted for. */
const userNameOf = (method: Method, { displayName }: Login): { readonly username?: string } =>
  (method === 'userpass' || method === 'ldap') && displayName !== null ? { username: displayName } : {};
