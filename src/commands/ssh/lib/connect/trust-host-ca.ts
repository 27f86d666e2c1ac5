import type { Context } from '../../../../command/context.ts';
import { isEmptyListError, isForbidden, notFound } from '../../../../errors.ts';
import { readCaBundle } from '../ca/bundle.ts';
import { caNotFoundError } from '../mount.ts';
import type { Connection } from './connection.ts';

/**
 * Configures ssh to trust the host if a CA of a mount signed its key. The lines are in a separate file that ssh never
 * writes to, in addition to the system's files; an unknown host is rejected without a prompt.
 */
export async function trustHostCa(
  mount: string,
  { access, client, settings, folder }: Connection,
  ctx: Context,
): Promise<void> {
  const secrets = await ctx.api.secrets();
  const { cas, missing } = await readCaBundle(secrets, mount).catch((error: unknown) => {
    if (isEmptyListError(error)) throw caNotFoundError(mount, error);
    if (!isForbidden(error)) throw error;
    // Without a token, services respond to a missing mount as to a missing permission.
    throw notFound(`CA not found in ${mount}/`, { ...error, details: error.details });
  });
  for (const each of missing) ctx.output.detail(`cannot read ${each}`);
  const path = `${folder}/known_hosts`;
  // During a rotation, hosts have certificates of the old or of the new CA.
  const content = cas.map(({ publicKey }) => client.knownHostsCaLine(settings, publicKey)).join('');
  await ctx.files.write([{ path, content, replace: false }]);
  const others = settings.value('globalknownhostsfile') ?? '';
  access.options.push(
    `GlobalKnownHostsFile=${others === 'none' ? '' : others} "${path}"`,
    'StrictHostKeyChecking=yes',
  );
}
