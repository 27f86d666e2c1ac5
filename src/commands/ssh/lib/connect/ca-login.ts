import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import { type Connection, configuredAgent, loginUser, pathOption } from './connection.ts';
import { neededExtensions } from './extensions.ts';
import { identityFor, withWarning } from './issue-certificate.ts';
import { serveJumpHosts } from './jump-hosts.ts';
import { accessWithOwnKey } from './own-key.ts';

/** Configures ssh to log in with a certificate for an in-memory key or a key of the user. */
export async function accessWithCertificate(connection: Connection, ctx: Context): Promise<void> {
  const { access, client, flags, settings } = connection;
  if (flags.ip !== undefined)
    throw usage('--ip requires a role for one-time passwords, but this role signs certificates');
  const user = loginUser(connection);
  if (user !== settings.user) access.options.push(`User=${user}`);
  const desired = {
    principals: flags.principals ?? [user],
    extensions: neededExtensions(settings, connection.arguments),
  };
  if (flags.key !== undefined || flags.agentKey) return accessWithOwnKey(desired, connection, ctx);

  const usersAgent = configuredAgent(connection, ctx);
  const key = client.createMemoryKey();
  const identity = identityFor(key, desired, connection, ctx);
  // An error of the service is reported before ssh starts.
  access.certificate = await identity.certificate();
  const path = `${connection.folder}/agent.sock`;
  const { close } = await client.serveAgent(path, withWarning(identity, ctx.output));
  access.endings.push(close);
  access.options.push(
    pathOption('IdentityAgent', path),
    // Only our key: no identities of other agents, no default key files, and no private key of other files.
    'IdentitiesOnly=no',
    'IdentityFile=none',
    'PubkeyAuthentication=yes',
    'PubkeyAcceptedAlgorithms=ssh-ed25519-cert-v01@openssh.com',
  );
  if (settings.value('forwardagent') === 'yes') {
    // Only the user's agent is forwarded, never ours.
    if (usersAgent === undefined) ctx.output.warn('cannot forward the ssh-agent: not running');
    access.options.push(pathOption('ForwardAgent', usersAgent ?? '/dev/null'));
  }
  await serveJumpHosts(key, usersAgent, connection, ctx);
}
