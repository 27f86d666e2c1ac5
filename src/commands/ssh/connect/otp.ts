import { passWarnings } from '../../../command.ts';
import { LanyardError, usage } from '../../../errors.ts';
import type { Prompt, PromptAnswer } from '../../../ssh/ssh.ts';
import { inWords } from '../certificate.ts';
import { type Connection, type Tools, userOf } from './access.ts';

/** What a host may call a one-time password when it asks for it. */
const asksForPassword = /pass(word|code)|one[- ]?time|\botp\b/i;

/** Lets ssh log in with a one-time password, which it gets through its askpass interface and in no other way. */
export async function withPassword(connection: Connection, ctx: Tools): Promise<void> {
  const { access, client, settings, folder } = connection;
  refuseFlagsOfCertificates(connection);
  const ip = connection.flags.ip ?? (await client.address(settings));
  const { key, lease, username, port } = await credentialsFor(ip, connection, ctx);
  access.endings.push(() => revoke(lease, key, connection, ctx));
  ctx.io.mask(key);
  if (username !== settings.user) access.options.push(`User=${username}`);
  if (port !== undefined && settings.port === 22 && port !== 22) access.options.push(`Port=${port}`);

  const isOurs = promptsOf(username, settings.value('hostkeyalias') ?? settings.host.toLowerCase());
  const mayAsk = settings.value('batchmode') !== 'yes';
  let isGiven = false;
  const answer = (prompt: Prompt): PromptAnswer => {
    // A jump host has an ssh of its own, and may have the same name as this one, on another port.
    const isFromHost = prompt.asker === access.pid && isOurs(prompt.text);
    if (prompt.kind !== 'text' || !isFromHost) return mayAsk ? 'ask' : undefined;
    if (isGiven) return undefined;
    isGiven = true;
    return { text: key };
  };
  const { program, close } = await client.serveAskpass(folder, ctx.self, answer);
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

function refuseFlagsOfCertificates({ flags, role }: Connection): void {
  const given = [
    ...(flags.principals === undefined ? [] : ['--principals']),
    ...(flags.ttl === undefined ? [] : ['--ttl']),
    ...(flags.extension === undefined ? [] : ['--extension']),
    ...(flags.key === undefined ? [] : ['--key']),
    ...(flags.agentKey ? ['--agent-key'] : []),
  ];
  if (given.length === 0) return;
  throw usage(`${given.join(', ')}: the role ${role.name} gives one-time passwords, and no certificates`);
}

/**
 * Asks for a password. A signal must not cut this off: nobody would know what to revoke then.
 */
async function credentialsFor(ip: string, connection: Connection, ctx: Tools) {
  const { mount, role } = connection;
  const secrets = await ctx.api.secretsToTheEnd();
  if (ctx.signal.aborted) throw new LanyardError('interrupted', 'interrupted');
  const { body } = await secrets
    .createCredentials({ mount, role: role.name, ip, username: userOf(connection) })
    .catch(inWords(role.name, mount));
  passWarnings(ctx.io, body);
  return { ...body.data, lease: body.lease_id };
}

/**
 * Is this text how ssh asks for a password of this user on this host? It begins what the host wants to know with its
 * name (OpenSSH 8.5).
 */
function promptsOf(user: string, host: string): (text: string) => boolean {
  const interactive = `(${user}@${host}) `;
  const plain = `${user.slice(0, 30)}@${host.slice(0, 128)}'s password: `;
  return (text) =>
    text === plain || (text.startsWith(interactive) && asksForPassword.test(text.slice(interactive.length)));
}

/** Ends the password with its lease; where that is not permitted, by using it up. */
async function revoke(
  lease: string | undefined,
  key: string,
  { mount }: Connection,
  ctx: Tools,
): Promise<void> {
  const secrets = await ctx.api.secretsToTheEnd();
  try {
    if (!lease) throw new LanyardError('not_found', 'it has no lease');
    await secrets.revokeLease({ lease_id: lease });
  } catch (error) {
    const why = error instanceof LanyardError ? error.message : 'the call failed';
    const isUsedUp = await secrets.verifyOtp({ mount, otp: key }).then(
      () => true,
      (refusal: unknown) => refusal instanceof LanyardError && refusal.status === 400,
    );
    ctx.io.warn(
      isUsedUp
        ? `the password is used up; its lease ${lease ?? ''} could not be revoked, and ends by itself (${why})`
        : `the password may still be valid: its lease ${lease ?? ''} could not be revoked (${why})`,
    );
  }
}
