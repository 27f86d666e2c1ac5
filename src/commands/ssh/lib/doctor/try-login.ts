import type { Context } from '../../../../command/context.ts';
import { isFailure } from '../../../../errors.ts';
import type { ClientLog } from '../../../../ssh/diagnosis/client-log.ts';
import type { Access, Connection } from '../connect/connection.ts';
import { newAccess, withAccess } from '../connect/with-access.ts';

export interface LoginAttempt {
  readonly client: ClientLog | undefined;
  /** The line of the certificate that was signed for it. */
  readonly certificate: string | undefined;
  /** The message of the service, if it rejected the request for a certificate or a password. */
  readonly rejection: string | undefined;
  /** Why the login was not tried to its end. */
  readonly notTried: string | undefined;
}

interface Login {
  readonly parts: Omit<Connection, 'access' | 'folder' | 'role' | 'rejectRevoked'>;
  readonly argv: readonly string[];
  /** How many jump hosts come before the host. */
  readonly hops: number;
}

const none = { certificate: undefined, rejection: undefined, notTried: undefined };

/** Logs in as ssh does with the settings of the user. */
export async function tryPlainLogin({ parts, argv, hops }: Login, ctx: Context): Promise<LoginAttempt> {
  const access = { ...newAccess(parts.settings), env: {} };
  return { ...none, client: await attempt({ parts, argv, hops }, access, [], ctx) };
}

/** A login that ends when the host lists its methods. */
const withoutCredentials = [
  ...['PreferredAuthentications=none', 'PubkeyAuthentication=no', 'PasswordAuthentication=no'],
  ...['KbdInteractiveAuthentication=no', 'HostbasedAuthentication=no', 'GSSAPIAuthentication=no'],
];

/**
 * Logs in as `ssh connect` does. A certificate or password is requested only if the host can be reached, is trusted, and
 * accepts the method.
 */
export async function tryRoleLogin(
  { parts, argv, hops }: Login,
  role: Connection['role'],
  ctx: Context,
): Promise<LoginAttempt> {
  const connection = { ...parts, role };
  if (hops === 0) {
    const seen = await withAccess(connection, 'none', ctx, (access) =>
      attempt({ parts, argv, hops }, access, withoutCredentials, ctx),
    );
    // Nothing was offered, so nothing was rejected.
    const client = { ...seen, isDenied: false };
    const methods = role.mode === 'otp' ? ['keyboard-interactive', 'password'] : ['publickey'];
    const isReady = client.methods?.some((method) => methods.includes(method));
    if (!isReady && client.authenticated === 0)
      return { ...none, client, notTried: 'the host did not get that far' };
  }
  try {
    return await withAccess(connection, 'credentials', ctx, async (access) => ({
      ...none,
      client: await attempt({ parts, argv, hops }, access, [], ctx),
      certificate: access.certificate,
    }));
  } catch (error) {
    if (!isFailure(error) || error.kind === 'usage') throw error;
    const rejection = [error.message, ...error.details].join(': ');
    return { ...none, client: undefined, rejection, notTried: 'the service did not issue credentials' };
  }
}

/** Settings of StrictHostKeyChecking with which ssh accepts an unknown host key without a prompt. */
const acceptsUnknown = ['accept-new', 'no', 'off', 'false'];

async function attempt(
  { parts: { settings }, argv, hops }: Login,
  access: Access,
  more: readonly string[],
  ctx: Context,
): Promise<ClientLog> {
  const diagnosis = await ctx.ssh.diagnosis();
  const tryWith = async (trustsUnknownHosts: boolean): Promise<ClientLog> => {
    const options = [...more, ...access.options, ...diagnosis.attemptOptions(settings)];
    const prompts = access.env.SSH_ASKPASS !== undefined;
    const started = (pid: number): void => {
      access.pid = pid;
    };
    const login = { options, argv, env: access.env, hops, prompts, trustsUnknownHosts, onStart: started };
    return diagnosis.readClientLog(await diagnosis.attempt(login), hops);
  };
  const first = await tryWith(false);
  const isUnknown = ['unknown', 'unknown CA'].includes(first.hostKey.problem?.kind ?? '');
  const isStrict = access.options.includes('StrictHostKeyChecking=yes');
  return isUnknown && !isStrict && acceptsUnknown.includes(settings.value('stricthostkeychecking') ?? '')
    ? tryWith(true)
    : first;
}
