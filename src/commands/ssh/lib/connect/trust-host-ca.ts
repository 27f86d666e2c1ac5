import type { Context } from '../../../../command/context.ts';
import { isEmptyListError, isForbidden, notFound } from '../../../../errors.ts';
import { caNotFoundError } from '../mount.ts';
import type { Connection } from './connection.ts';

/**
 * Configures ssh to trust the host if the CA of a mount signed its key. The line is in a separate file that ssh never
 * writes to, in addition to the system's files; an unknown host is rejected without a prompt.
 */
export async function trustHostCa(
  mount: string,
  { access, client, settings, folder }: Connection,
  ctx: Context,
): Promise<void> {
  const secrets = await ctx.api.secrets();
  const { body } = await secrets.publicKey({ mount }).catch((error: unknown) => {
    if (isEmptyListError(error)) throw caNotFoundError(mount, error);
    if (!isForbidden(error)) throw error;
    // Without a token, services respond to a missing mount as to a missing permission.
    throw notFound(`CA not found in ${mount}/`, { ...error, details: error.details });
  });
  const path = `${folder}/known_hosts`;
  await ctx.files.write([{ path, content: client.knownHostsCaLine(settings, body), replace: false }]);
  const others = settings.value('globalknownhostsfile') ?? '';
  access.options.push(
    `GlobalKnownHostsFile=${others === 'none' ? '' : others} "${path}"`,
    'StrictHostKeyChecking=yes',
  );
}
