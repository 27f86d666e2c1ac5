import type { Context } from '../../../../command/context.ts';
import type { MemoryKey } from '../../../../ssh/types.ts';
import type { Connection } from './connection.ts';
import { identityFor, withWarning } from './issue-certificate.ts';

/**
 * Logs in to the jump hosts (ProxyJump) with a certificate too. ssh starts another client for them, which does not
 * get our options but finds an agent through the environment: that agent has a certificate for forwarding only, which
 * is signed on demand, and then the keys of the user's own agent.
 */
export async function serveJumpHosts(
  key: MemoryKey,
  usersAgent: string | undefined,
  connection: Connection,
  ctx: Context,
): Promise<void> {
  const { client, settings, access, flags } = connection;
  const hops = settings.value('proxyjump')?.split(',') ?? [];
  if (hops.length === 0 || hops[0] === 'none') return;
  const files = connection.arguments.options.flatMap(([letter, value]) =>
    letter === 'F' ? ['-F', value] : [],
  );
  const users = await Promise.all(
    hops.map(
      async (hop) =>
        (await client.resolveSettings([...files, hop.includes('://') ? hop : `ssh://${hop}`])).user,
    ),
  );
  const desired = {
    principals: flags.principals ?? [...new Set(users)],
    extensions: ['permit-port-forwarding'],
  };
  const path = `${connection.folder}/jump.sock`;
  const identity = withWarning(identityFor(key, desired, connection, ctx), ctx.output);
  access.endings.push((await client.serveAgent(path, identity, usersAgent)).close);
  access.env.SSH_AUTH_SOCK = path;
}
