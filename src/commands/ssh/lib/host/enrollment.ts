import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import { privateKeyPath } from '../../../../wire/key-paths.ts';
import { compact } from '../../../../wire/objects.ts';
import { rejectInvisible, withHostNames } from '../certificate-request.ts';
import { type Enrollment, type HostLogin, loginMethods } from './manifest.ts';
import { defaultConfig } from './paths.ts';
import { absoluteLocation } from './revoked.ts';
import { hasSystemd } from './units.ts';

const defaultUnitDirectory = '/etc/systemd/system';

/** `--mount`; without it, an enrolled host keeps its mount. It is not the mount of users in the settings. */
const hostMountFlag = flag.text('PATH', 'mount path of the engine that signs host keys (default ssh)', {
  completes: 'ssh-mount',
});

export const sshdConfigFlag = flag.file('FILE', `configuration of sshd (default ${defaultConfig})`);

export const enrollFlags = {
  role: flag.name('ROLE', 'role that signs host keys (default: no host certificate)', {
    completes: 'ssh-role',
  }),
  mount: hostMountFlag,
  principals: flag.list('A,B', 'names of the host (default: the names of this machine)'),
  key: flag.texts('FILE', 'host key to sign; repeatable (default: every host key of sshd)', {
    completes: 'file',
  }),
  userCa: flag.texts('MOUNT', 'mount whose user certificates are accepted; repeatable', {
    completes: 'ssh-mount',
  }),
  revoked: flag.name(
    'LOCATION',
    'revocation list: registry:KEY, secrets:MOUNT/PATH or a file (default: from settings)',
  ),
  method: flag.choice(loginMethods, 'how renewals log in (default token: as configured)'),
  roleId: flag.name('ID', 'approle: role ID'),
  wrappedSecretId: flag.source('approle: source of the wrapping token of a secret ID'),
  secretId: flag.source('approle: source of the secret ID'),
  loginRole: flag.name('ROLE', 'cert, kubernetes: role of the auth method'),
  loginPath: flag.name('MOUNT', 'mount path below auth/ (default: name of the method)', {
    completes: 'secrets-auth',
  }),
  tokenFile: flag.file('FILE', 'token: file with the token, read at each renewal'),
  timer: flag.boolean('write systemd units although systemd does not run'),
  noTimer: flag.boolean('do not install a timer'),
  unitDir: flag.file('DIR', `directory of the systemd units (default ${defaultUnitDirectory})`),
  reload: flag.name('COMMAND', 'shell command that reloads sshd (default: systemctl, or SIGHUP)'),
  noReload: flag.boolean('do not reload sshd'),
  sshdConfig: sshdConfigFlag,
  sshdConfigDir: flag.file('DIR', 'directory for the settings (default: first included directory)'),
} as const;

export type EnrollFlags = Values<typeof enrollFlags>;

/**
 * What the flags enroll a host with; those that are not given keep the value of an earlier enrollment. The keys are
 * empty if none was given.
 *
 * @throws LanyardError usage: nothing to enroll, flags that exclude each other, or renewals without a token.
 */
export async function enrollmentOf(
  flags: EnrollFlags,
  previous: Enrollment | undefined,
  ctx: Context,
): Promise<Enrollment> {
  rejectContradictions(flags);
  const { addresses, namespace = '' } = await ctx.api.settings('secrets');
  const role = flags.role ?? previous?.role;
  const userCas = flags.userCa.length > 0 ? [...new Set(flags.userCa)] : (previous?.userCas ?? []);
  const location = flags.revoked ?? previous?.revoked ?? (await ctx.profile.sshDefaults()).revoked;
  const revoked = location === undefined ? undefined : absoluteLocation(location, ctx);
  if (role === undefined && userCas.length === 0 && revoked === undefined)
    throw usage('nothing to enroll: specify --role, --user-ca or --revoked', {
      hint: 'Run `lanyard help ssh-hosts` for the steps.',
    });
  const unitDirectory = await unitDirectoryOf(flags, previous, ctx);
  const enrollment = {
    addresses: previous && sharesAddress(previous.addresses, addresses) ? previous.addresses : addresses,
    namespace,
    mount: flags.mount ?? previous?.mount ?? 'ssh',
    keys:
      flags.key.length > 0
        ? flags.key.map((path) => ctx.files.absolute(privateKeyPath(path)))
        : (previous?.keys ?? []),
    userCas,
    login: loginOf(flags, previous?.login, ctx),
    ...compact({
      role,
      principals: role === undefined ? undefined : await principalsOf(flags, previous, ctx),
      revoked,
      reload: flags.noReload ? (false as const) : (flags.reload ?? previous?.reload),
      unitDirectory,
    }),
  };
  if (role !== undefined && unitDirectory !== false) await requireToken(enrollment.login, ctx);
  return enrollment;
}

function rejectContradictions(flags: EnrollFlags): void {
  const pairs = [
    ['--timer', flags.timer, '--no-timer', flags.noTimer],
    ['--unit-dir', flags.unitDir, '--no-timer', flags.noTimer],
    ['--reload', flags.reload, '--no-reload', flags.noReload],
    ['--secret-id', flags.secretId, '--wrapped-secret-id', flags.wrappedSecretId],
  ] as const;
  for (const [one, isOne, other, isOther] of pairs)
    if (isOne && isOther) throw usage(`${one} cannot be combined with ${other}`);
}

export const sharesAddress = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((address) => others.includes(address));

async function principalsOf(
  flags: EnrollFlags,
  previous: Enrollment | undefined,
  ctx: Context,
): Promise<readonly string[]> {
  const given = flags.principals ?? previous?.principals;
  const request = { cert_type: 'host' as const, ...compact({ valid_principals: given?.join(',') }) };
  const { valid_principals: names = '' } = rejectInvisible(await withHostNames(request, ctx));
  const list = names.split(',').filter((name) => name !== '');
  if (list.length > 0) return list;
  throw usage('this machine has no host name', { hint: 'Set the names of the host with --principals.' });
}

const flagsByMethod = {
  token: ['tokenFile'],
  approle: ['roleId', 'secretId', 'wrappedSecretId', 'loginPath'],
  cert: ['loginRole', 'loginPath'],
  kubernetes: ['loginRole', 'loginPath'],
} as const;

const loginFlagNames = {
  tokenFile: '--token-file',
  roleId: '--role-id',
  secretId: '--secret-id',
  wrappedSecretId: '--wrapped-secret-id',
  loginRole: '--login-role',
  loginPath: '--login-path',
} as const;

function loginOf(flags: EnrollFlags, previous: HostLogin | undefined, { files }: Context): HostLogin {
  const method = flags.method ?? previous?.method ?? (flags.roleId === undefined ? 'token' : 'approle');
  const allowed: readonly string[] = flagsByMethod[method];
  for (const [member, name] of Object.entries(loginFlagNames))
    if (flags[member as keyof typeof loginFlagNames] !== undefined && !allowed.includes(member))
      throw usage(`${name} is not supported by method "${method}"`, {
        hint: 'Add --method, or omit the flag.',
      });
  const kept = previous?.method === method ? previous : undefined;
  const login: HostLogin = {
    method,
    ...compact({
      path: flags.loginPath ?? kept?.path,
      roleId: flags.roleId ?? kept?.roleId,
      role: flags.loginRole ?? kept?.role,
      tokenFile: flags.tokenFile === undefined ? kept?.tokenFile : files.absolute(flags.tokenFile),
    }),
  };
  if (method === 'approle' && login.roleId === undefined) throw usage('missing flag --role-id');
  if (method === 'kubernetes' && login.role === undefined) throw usage('missing flag --login-role');
  return login;
}

/** Where the units go; false: no timer is wanted; undefined: systemd does not run. */
async function unitDirectoryOf(
  { timer, noTimer, unitDir }: EnrollFlags,
  previous: Enrollment | undefined,
  ctx: Context,
): Promise<string | false | undefined> {
  if (noTimer) return false;
  if (unitDir !== undefined) return ctx.files.absolute(unitDir);
  const kept = previous?.unitDirectory;
  if (typeof kept === 'string' || (kept === false && !timer)) return kept;
  return timer || (await hasSystemd(ctx)) ? defaultUnitDirectory : undefined;
}

/** A timer has no variables of this shell: its renewals would fail when the certificate is due, weeks later. */
async function requireToken({ method, tokenFile }: HostLogin, ctx: Context): Promise<void> {
  if (method !== 'token' || tokenFile !== undefined) return;
  const { token, tokenFrom } = await ctx.api.settings('secrets');
  if (token?.from === 'variable')
    throw usage(`renewals would have no token: it comes from ${tokenFrom}`, {
      hint: 'Choose how renewals log in with --method approle, cert or kubernetes, or --token-file; or add --no-timer.',
    });
  if (token?.from === 'store')
    ctx.output.warn(
      `renewals use the token that is stored with profile ${token.profile}, and end when it expires; --method approle, cert or kubernetes log in each time`,
    );
}
