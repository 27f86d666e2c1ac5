import { usage } from '../../../errors.ts';
import { type Connection, pathOption, type Tools, userOf } from './access.ts';
import { identityFor, told } from './certify.ts';
import { neededExtensions } from './extensions.ts';
import { serveHops } from './hops.ts';
import { withOwnKey } from './own-key.ts';

/** Configures ssh to log in with a certificate for an in-memory key or a key of the user. */
export async function withCertificate(connection: Connection, ctx: Tools): Promise<void> {
  const { access, client, flags, settings } = connection;
  if (flags.ip !== undefined)
    throw usage('--ip requires a role for one-time passwords, but this role signs certificates');
  const user = userOf(connection);
  if (user !== settings.user) access.options.push(`User=${user}`);
  const wanted = {
    principals: flags.principals ?? [user],
    extensions: neededExtensions(settings, connection.arguments),
  };
  if (flags.key !== undefined || flags.agentKey) return withOwnKey(wanted, connection, ctx);

  const usersAgent = agentOf(connection, ctx);
  const key = client.memoryKey();
  const identity = identityFor(key, wanted, connection, ctx);
  // An error of the service is reported before ssh starts.
  await identity.certificate();
  const path = `${connection.folder}/agent.sock`;
  const { close } = await client.serveAgent(path, told(identity, ctx.io));
  access.endings.push(close);
  access.options.push(
    pathOption('IdentityAgent', path),
    // No key but ours: none of another agent, none of the usual files, and of other files only certificates.
    'IdentitiesOnly=no',
    'IdentityFile=none',
    'PubkeyAuthentication=yes',
    'PubkeyAcceptedAlgorithms=ssh-ed25519-cert-v01@openssh.com',
  );
  if (settings.value('forwardagent') === 'yes') {
    // Only the user's agent is forwarded, never ours.
    if (usersAgent === undefined) ctx.io.warn('cannot forward the ssh-agent: not running');
    access.options.push(pathOption('ForwardAgent', usersAgent ?? '/dev/null'));
  }
  await serveHops(key, usersAgent, connection, ctx);
}

/** The socket of the user's agent that ssh would use. */
export function agentOf(
  { settings }: Pick<Connection, 'settings'>,
  { env, home }: Pick<Tools, 'env' | 'home'>,
): string | undefined {
  const named = settings.value('identityagent') ?? 'SSH_AUTH_SOCK';
  if (named === 'none') return undefined;
  if (named === 'SSH_AUTH_SOCK') return env.SSH_AUTH_SOCK || undefined;
  if (named.startsWith('$')) return env[named.replace(/^\$\{?|\}$/g, '')] || undefined;
  return named.replace(/^~(?=\/)/, home);
}
