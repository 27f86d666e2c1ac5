import type { Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import type { ClientSettings, PublicKeyInfo } from '../../../../ssh/types.ts';
import type { SshSignBody } from '../../../../wire/secrets.ts';
import { type Role, readRole } from '../connect/connect-role.ts';
import { type connectFlags, loginUser } from '../connect/connection.ts';
import { extensionsToRequest, neededExtensions } from '../connect/extensions.ts';
import type { SshArguments } from '../connect/ssh-arguments.ts';
import { connecting } from '../connect/with-access.ts';
import type { Facts, LocalKey, ServiceFacts, Target } from './facts.ts';
import { readHost } from './read-host.ts';
import { chooseKey, privateKeyPath, readAgent, readLocalKeys } from './read-keys.ts';
import { readLogs } from './read-logs.ts';
import { readRevocation } from './read-revocation.ts';
import { judgeRequest, readOtp, readPublicState, readRoleState } from './read-service.ts';
import { type LoginAttempt, tryPlainLogin, tryRoleLogin } from './try-login.ts';

type DoctorFlags = Values<typeof connectFlags> & {
  readonly log: readonly string[];
  readonly sshdConfig: string | undefined;
};

export interface Question {
  /** As the user wrote it. */
  readonly host: string;
  readonly flags: DoctorFlags;
  readonly sshArguments: SshArguments;
}

/** Options of ssh(1) that matter for a login. */
const loginOptions = 'BbcFIiJlmop46';

/** Collects what is known about a login: settings, keys, the service, logs or a login, and sshd_config. */
export async function readFacts(question: Question, ctx: Context): Promise<Facts> {
  const { flags, sshArguments } = question;
  const argv = argvOf(question, ctx);
  const client = await ctx.ssh.client();
  const settings = await client.resolveSettings(argv, flags.role === undefined ? {} : connecting);
  const logs =
    flags.log.length === 0 ? undefined : await readLogs(flags.log, { settings, hops: hopsOf(settings) }, ctx);
  const { service, role } = await readService(question, settings, ctx);
  const parts = { client, settings, mount: flags.mount, host: question.host, flags, arguments: sshArguments };
  const user = role === undefined ? settings.user : loginUser({ ...parts, role });
  const target = targetOf(question, settings, user);
  const method = role?.mode ?? 'ssh';
  const isOffline = logs !== undefined || flags.sshdConfig !== undefined;
  const notTried = isOffline ? 'not used with --log or --sshd-config' : blockedBy(service, user);

  const login = { parts, argv, hops: target.jumpHosts.length };
  const tried: LoginAttempt | undefined =
    notTried !== undefined
      ? undefined
      : role === undefined
        ? await tryPlainLogin(login, ctx)
        : await tryRoleLogin(login, role, ctx);
  const clientLog = logs?.client ?? tried?.client;

  const agent = await readAgent(settings, ctx);
  const local = await readLocalKeys(flags.key && ctx.files.absolute(flags.key), settings, ctx);
  const isOwn = flags.key !== undefined || !isOffline;
  const chosen =
    role === undefined || isOffline
      ? chooseKey(local, agent, clientLog, isOwn)
      : await signedKey(tried?.certificate, flags.key, ctx);
  const address = logs?.server?.address ?? (isOffline ? undefined : await localAddress(settings, ctx));
  return {
    target,
    method,
    now: ctx.system.clock().getTime() / 1000,
    service: tried?.rejection === undefined ? service : { ...service, rejection: tried.rejection },
    keys: { chosen, agent },
    client: clientLog,
    server: logs?.server,
    host:
      flags.sshdConfig === undefined
        ? undefined
        : await readHost(flags.sshdConfig, { user, address: logs?.server?.address, key: chosen }, ctx),
    listedRevocation:
      chosen?.line === undefined || (isOffline && flags.revoked === undefined)
        ? undefined
        : await readRevocation(chosen.line, flags.revoked, ctx),
    isTried: tried?.client !== undefined && tried.notTried === undefined,
    clientAddress: address,
    isOutsideSourceAddress: await isOutside(chosen, address, ctx),
    wantsTerminal: neededExtensions(settings, sshArguments).includes('permit-pty'),
    notTried: notTried ?? tried?.notTried,
  };
}

/** The arguments of ssh: options that matter for a login, and the destination. */
function argvOf({ host, flags, sshArguments }: Question, ctx: Context): string[] {
  const options = sshArguments.options
    .filter(([letter]) => loginOptions.includes(letter))
    .flatMap(([letter, value]) => (value === '' ? [`-${letter}`] : [`-${letter}`, value]));
  const key =
    flags.key === undefined || flags.role !== undefined ? [] : keyOptions(ctx.files.absolute(flags.key));
  return [...key, ...options, host];
}

const keyOptions = (path: string): string[] => [
  ...['-o', `IdentityFile="${privateKeyPath(path).replaceAll('%', '%%')}"`, '-o', 'IdentitiesOnly=yes'],
  ...(/-cert\.pub$/.test(path) ? ['-o', `CertificateFile="${path.replaceAll('%', '%%')}"`] : []),
];

const jumpHostsOf = ({ value }: ClientSettings): string[] => {
  const jumps = value('proxyjump') ?? 'none';
  return jumps === 'none' ? [] : jumps.split(',');
};

const hopsOf = (settings: ClientSettings): number => jumpHostsOf(settings).length;

function targetOf({ host }: Question, settings: ClientSettings, user: string): Target {
  const { value, port } = settings;
  const name = value('hostkeyalias') ?? settings.host;
  return {
    user,
    destination: host,
    host: settings.host,
    port,
    knownAs: port === 22 || value('hostkeyalias') !== undefined ? name : `[${name}]:${port}`,
    jumpHosts: jumpHostsOf(settings),
    isBatch: value('batchmode') === 'yes',
  };
}

/** What the service says about the role; without a role, what it says without a token. */
async function readService(
  { host, flags, sshArguments }: Question,
  settings: ClientSettings,
  ctx: Context,
): Promise<{ readonly service: ServiceFacts; readonly role: Role | undefined }> {
  const { mount, mode } = flags;
  if (flags.role === undefined) {
    if (mode !== undefined) throw usage('--mode requires --role');
    return { service: await readPublicState(mount, ctx), role: undefined };
  }
  const base = await readPublicState(mount, ctx);
  const { facts, fields } = await readRoleState(base, flags.role, ctx);
  // Without the fields of the role, the method is the one of the flag.
  const usable: Role = { ...unknownRole, name: flags.role, mode: mode ?? 'ca' };
  if (facts.state !== 'ok' || facts.roleState === 'missing') return { service: facts, role: usable };
  const role = fields === undefined ? usable : await readRole(mount, flags.role, mode, ctx);
  const client = await ctx.ssh.client();
  const user = loginUser({ host, settings, client, role });
  if (role.mode === 'otp') {
    const address = flags.ip ?? (await client.resolveAddress(settings).catch(() => undefined));
    return {
      service: address === undefined ? facts : await readOtp(facts, { address, role: fields }, ctx),
      role,
    };
  }
  if (fields === undefined) return { service: facts, role };
  const { requested } = extensionsToRequest(neededExtensions(settings, sshArguments), role);
  const extensions = { ...Object.fromEntries(requested.map((name) => [name, ''])), ...flags.extension };
  const request: Omit<SshSignBody, 'public_key'> = {
    valid_principals: (flags.principals ?? [user]).join(','),
    ...(flags.ttl === undefined ? {} : { ttl: flags.ttl }),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
  };
  return { service: await judgeRequest(facts, { role: fields, request, key: memoryKey }, ctx), role };
}

const unknownRole = {
  defaultUser: undefined,
  allowedExtensions: undefined,
  hasDefaultExtensions: undefined,
  maxTtl: undefined,
};

/** What a role sees of an in-memory key. */
const memoryKey: PublicKeyInfo = { type: 'ssh-ed25519', bits: 256, fingerprint: '', comment: '' };

/** Why no login is tried: the service cannot be used, or would reject the request. */
function blockedBy({ role, state, roleState, message, otp }: ServiceFacts, user: string): string | undefined {
  if (role === undefined) return undefined;
  if (state !== undefined && state !== 'ok') return message ?? 'the service cannot be used';
  if (roleState === 'missing') return 'the role does not exist';
  const allowed = otp?.allowedUsers;
  const isRejected =
    roleState === 'rejects' ||
    otp?.matchingRoles.includes(role) === false ||
    (allowed !== undefined && !allowed.includes('*') && !allowed.includes(user));
  return isRejected ? 'the role would reject the request' : undefined;
}

/** The certificate that was signed for the login, as a key. */
async function signedKey(
  line: string | undefined,
  path: string | undefined,
  ctx: Context,
): Promise<LocalKey | undefined> {
  if (line === undefined) return undefined;
  const found = await (await ctx.ssh.keys()).inspect(line, 'the certificate');
  if (found.what !== 'certificate') return undefined;
  return {
    path: path ?? 'new key',
    privateKey: 'in memory',
    fingerprint: found.certificate.key.fingerprint,
    certificate: found.certificate,
    line,
    certificatePath: 'new certificate',
  };
}

/** The address that the host sees, if no router translates it; undefined: not known, or through a jump host. */
async function localAddress(settings: ClientSettings, ctx: Context): Promise<string | undefined> {
  const isDirect = ['proxycommand', 'proxyjump'].every((name) => (settings.value(name) ?? 'none') === 'none');
  if (!isDirect) return undefined;
  const address = await (await ctx.ssh.client()).resolveAddress(settings).catch(() => undefined);
  return address === undefined ? undefined : (await ctx.ssh.diagnosis()).findLocalAddress(address);
}

/** Whether source-address of the certificate excludes an address; undefined: not known. */
async function isOutside(
  key: LocalKey | undefined,
  address: string | undefined,
  { system }: Context,
): Promise<boolean | undefined> {
  const blocks = key?.certificate?.criticalOptions.find(([name]) => name === 'source-address')?.[1];
  if (blocks === undefined || address === undefined) return undefined;
  return system.isInCidrBlocks(address, blocks.split(',')).then(
    (isInside) => !isInside,
    () => undefined,
  );
}
