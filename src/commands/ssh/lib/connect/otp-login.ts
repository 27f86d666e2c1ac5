import { showWarnings, toKebabCase } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { LanyardError, usage } from '../../../../errors.ts';
import type { Prompt, PromptResponse } from '../../../../ssh/types.ts';
import { describeSignError } from '../certificate-request.ts';
import { type Connection, loginUser } from './connection.ts';

/** Calls that must complete after a signal. */
const completing = { graceMs: 3000 } as const;

/** How a host may prompt for a one-time password. */
const asksForPassword = /pass(word|code)|one[- ]?time|\botp\b/i;

/** Configures ssh to log in with a one-time password, which it receives through askpass only. */
export async function accessWithPassword(connection: Connection, ctx: Context): Promise<void> {
  const { access, client, settings, folder } = connection;
  rejectCertificateFlags(connection);
  const ip = connection.flags.ip ?? (await client.resolveAddress(settings));
  const { key, lease, username, port } = await createCredentials(ip, connection, ctx);
  access.endings.push(() => revoke(lease, key, connection, ctx));
  ctx.output.mask(key);
  if (username !== settings.user) access.options.push(`User=${username}`);
  if (port !== undefined && settings.port === 22 && port !== 22) access.options.push(`Port=${port}`);

  const isOurs = promptMatcher(username, settings.value('hostkeyalias') ?? settings.host.toLowerCase());
  const mayAsk = settings.value('batchmode') !== 'yes';
  let isGiven = false;
  const response = (prompt: Prompt): PromptResponse => {
    // A jump host has an ssh process of its own, and may have the same name on another port.
    const isFromHost = prompt.pid === access.pid && isOurs(prompt.text);
    if (prompt.kind !== 'text' || !isFromHost) return mayAsk ? 'ask' : undefined;
    if (isGiven) return undefined;
    isGiven = true;
    return { text: key };
  };
  const { program, close } = await client.serveAskpass(folder, ctx.system.selfCommand, response);
  access.endings.push(close);
  access.env.SSH_ASKPASS = program;
  access.env.SSH_ASKPASS_REQUIRE = 'force';
  access.options.push(
    'PreferredAuthentications=keyboard-interactive,password',
    'KbdInteractiveAuthentication=yes',
    'PasswordAuthentication=yes',
    'NumberOfPasswordPrompts=1',
    'BatchMode=no',
  );
}

function rejectCertificateFlags({ flags, role }: Connection): void {
  const given = (['principals', 'ttl', 'extension', 'key', 'agentKey'] as const)
    .filter((name) => flags[name] !== undefined && flags[name] !== false)
    .map((name) => `--${toKebabCase(name)}`);
  if (given.length === 0) return;
  throw usage(`${given.join(', ')}: not supported by role ${role.name}, which issues one-time passwords`);
}

/**
 * Requests a password. A signal must not interrupt this: the lease to revoke would be unknown.
 */
async function createCredentials(ip: string, connection: Connection, ctx: Context) {
  const { mount, role } = connection;
  const secrets = await ctx.api.secrets(completing);
  if (ctx.system.signal.aborted) throw new LanyardError('interrupted', 'interrupted');
  const { body } = await secrets
    .createCredentials({ mount, role: role.name, ip, username: loginUser(connection) })
    .catch(describeSignError(role.name, mount));
  showWarnings(ctx.output, body);
  return { ...body.data, lease: body.lease_id };
}

/**
 * Whether a text is the prompt of ssh for the password of this user on this host. OpenSSH 8.5 and later put the name
 * before the prompt of the host.
 */
function promptMatcher(user: string, host: string): (text: string) => boolean {
  const interactive = `(${user}@${host}) `;
  const plain = `${user.slice(0, 30)}@${host.slice(0, 128)}'s password: `;
  return (text) =>
    text === plain || (text.startsWith(interactive) && asksForPassword.test(text.slice(interactive.length)));
}

/** Revokes the password with its lease or, without permission, consumes it. */
async function revoke(
  lease: string | undefined,
  key: string,
  { mount }: Connection,
  ctx: Context,
): Promise<void> {
  const secrets = await ctx.api.secrets(completing);
  try {
    if (!lease) throw new LanyardError('not_found', 'missing lease');
    await secrets.revokeLease({ lease_id: lease });
  } catch (error) {
    const cause = error instanceof LanyardError ? error.message : 'request failed';
    const isUsedUp = await secrets.verifyOtp({ mount, otp: key }).then(
      () => true,
      (refusal: unknown) => refusal instanceof LanyardError && refusal.status === 400,
    );
    ctx.output.warn(
      isUsedUp
        ? `cannot revoke lease ${lease ?? ''} (${cause}); the password is used and the lease will expire`
        : `cannot revoke lease ${lease ?? ''} (${cause}); the password may still be valid`,
    );
  }
}
