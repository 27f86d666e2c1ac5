import { isRejectedProof } from '../../api/conditions.ts';
import type { SecretsClient } from '../../api/secrets.ts';
import { command, flag, showWarnings, storedLine, toKebabCase, type Values } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { describeAs, kinds, LanyardError, usage } from '../../errors.ts';
import { raw, text } from '../../output/document.ts';
import { formatTimestamp } from '../../output/humanize.ts';

const methods = ['token', 'userpass', 'approle', 'jwt'] as const;
type Method = (typeof methods)[number];

const methodFlags = {
  token: flag.source('token: source of the token'),
  username: flag.name('NAME', 'userpass: user name'),
  password: flag.source('userpass: source of the password'),
  roleId: flag.name('ID', 'approle: role ID'),
  secretId: flag.source('approle: source of the secret ID'),
  role: flag.name('ROLE', 'jwt: role (default: set by the service)'),
  jwt: flag.source('jwt: source of the JWT'),
  path: flag.name('MOUNT', 'mount path below auth/ (default: name of the method)'),
} as const;

type FlagValues = Values<typeof methodFlags>;

const flagsByMethod: Readonly<Record<Method, readonly string[]>> = {
  token: ['token'],
  userpass: ['username', 'password', 'path'],
  approle: ['roleId', 'secretId', 'path'],
  jwt: ['role', 'jwt', 'path'],
};

export default command({
  description:
    'Stores the token with the profile, in the keyring or a file of mode 0600; without an active profile, creates profile "default" for the address of BAO_ADDR or VAULT_ADDR. Give secrets as "-", "@FILE" or "env://NAME"; missing ones are prompted for. The exit code is 9 if the service rejects the token that it issued.',
  examples: [
    'lanyard secrets login --token - < token.txt',
    'lanyard secrets login --method userpass --username bob',
    'lanyard secrets login --method approle --role-id ci --secret-id env://SECRET_ID',
    'lanyard secrets login --method jwt --role deploy --jwt env://CI_JOB_JWT --no-store',
  ],
  service: 'secrets',
  writes: true,
  args: {},
  flags: {
    method: flag.choice(methods, 'login method (default token)'),
    ...methodFlags,
    noStore: flag.boolean('print the token instead of storing it'),
  },
  async run({ flags }, ctx) {
    const method = flags.method ?? 'token';
    rejectOtherFlags(method, flags);
    // Before any prompt or request: no token is issued that cannot be stored.
    const location = flags.noStore
      ? undefined
      : await ctx.profile.tokens.locate('secrets', '--no-store prints the token instead', true);
    const login = await loginWith(method, flags, ctx);
    ctx.output.mask(login.token);
    const who = { displayName: login.displayName, policies: login.policies, validUntil: login.validUntil };
    if (location === undefined)
      return { data: { ...who, token: login.token }, document: [raw(`${login.token}\n`)] };
    const storage = await ctx.profile.tokens.store(location, login.token);
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

interface Login {
  readonly token: string;
  readonly displayName: string | null;
  readonly policies: readonly string[];
  /** ISO 8601; null: unlimited. */
  readonly validUntil: string | null;
  /** Verified with the service, or not to be verified: each request consumes one of a limited number of uses. */
  readonly isConfirmed: boolean;
}

function rejectOtherFlags(method: Method, given: Readonly<Partial<Record<string, unknown>>>): void {
  const unsupported = Object.keys(methodFlags).find(
    (name) => given[name] !== undefined && !flagsByMethod[method].includes(name),
  );
  if (unsupported === undefined) return;
  const others = methods.filter((each) => flagsByMethod[each].includes(unsupported));
  throw usage(`--${toKebabCase(unsupported)} is not supported by method "${method}"`, {
    hint: `Use it with --method ${others.join(' or ')}.`,
  });
}

/** Logs in with the method; missing values are prompted for. */
async function loginWith(method: Method, given: FlagValues, ctx: Context): Promise<Login> {
  if (method === 'token') return checkToken(await ctx.input.readSecret(given.token, 'token'), ctx);
  const mount = given.path ?? method;
  const secrets = await ctx.api.secrets();
  if (method === 'userpass') {
    const username = given.username ?? (await ctx.input.ask('username: '));
    const password = await ctx.input.readSecret(given.password, 'password');
    return loginResult(
      await secrets.loginUserpass({ mount, username, password }).catch(describeLoginError),
      ctx,
    );
  }
  if (method === 'approle') {
    const role_id = given.roleId ?? (await ctx.input.ask('role ID: '));
    const secret =
      given.secretId === undefined
        ? {}
        : { secret_id: await ctx.input.readSecret(given.secretId, 'secret ID') };
    return loginResult(
      await secrets.loginApprole({ mount, role_id, ...secret }).catch(describeLoginError),
      ctx,
    );
  }
  const jwt = await ctx.input.readSecret(given.jwt, 'JWT');
  const role = given.role === undefined ? {} : { role: given.role };
  return loginResult(await secrets.loginJwt({ mount, ...role, jwt }).catch(describeLoginError), ctx);
}

/** Services respond with 400 to invalid credentials; the error is "not authenticated". */
const describeLoginError = describeAs(
  isRejectedProof,
  'unauthenticated',
  'cannot log in: invalid credentials',
  { hint: undefined, retryable: false },
);

async function checkToken(token: string, ctx: Context): Promise<Login> {
  const { body } = await (await ctx.api.secretsWith(token)).lookupSelf({});
  showWarnings(ctx.output, body);
  const { id, display_name, policies, expire_time } = body.data;
  if (typeof id === 'string' && id !== token)
    throw new LanyardError(
      'unauthenticated',
      'cannot log in: the secrets service responded for a different token',
      { service: 'secrets', hint: 'Check the address: an agent or a proxy may send its own token.' },
    );
  return {
    isConfirmed: true,
    token,
    displayName: display_name ?? null,
    policies: policies ?? [],
    validUntil: expire_time ?? null,
  };
}

function loginResult({ body }: Awaited<ReturnType<SecretsClient['loginUserpass']>>, ctx: Context): Login {
  showWarnings(ctx.output, body);
  const { client_token: token, policies, lease_duration: seconds, metadata, num_uses = 0 } = body.auth;
  if (token === '') {
    const message = 'cannot log in: a second factor is required, which is not supported';
    throw new LanyardError('unauthenticated', message, {
      service: 'secrets',
      hint: 'Log in with another tool and run `lanyard secrets login --token -` to store the token.',
    });
  }
  const end = new Date(ctx.system.clock().getTime() + seconds * 1000);
  return {
    isConfirmed: num_uses > 0,
    token,
    displayName: metadata?.username ?? metadata?.role_name ?? metadata?.role ?? null,
    policies: policies ?? [],
    validUntil: seconds === 0 ? null : end.toISOString(),
  };
}
