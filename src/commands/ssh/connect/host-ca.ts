import type { Context } from '../../../context.ts';
import { isNothing, LanyardError, notFound } from '../../../errors.ts';
import { noCa } from '../shared.ts';
import type { Connection } from './access.ts';

/**
 * Lets ssh trust the host if the CA of a mount has signed its key. The line is in a file of its own, which ssh never
 * writes to, beside those of the system; a host that is not known by any is refused instead of asked about.
 */
export async function trustHostCa(
  mount: string,
  { access, client, settings, folder }: Connection,
  ctx: Pick<Context, 'api' | 'files'>,
): Promise<void> {
  const secrets = await ctx.api.secrets();
  const { body } = await secrets.publicKey({ mount }).catch((error: unknown) => {
    if (isNothing(error)) throw noCa(mount, error);
    if (!(error instanceof LanyardError) || error.kind !== 'forbidden') throw error;
    // What is not there is answered like what is not permitted, where no token is sent.
    throw notFound(`there is no CA to be read in ${mount}/`, { ...error, details: error.details });
  });
  const path = `${folder}/known_hosts`;
  await ctx.files.write([{ path, content: client.caLine(settings, body), replace: false }]);
  const others = settings.value('globalknownhostsfile') ?? '';
  access.options.push(
    `GlobalKnownHostsFile=${others === 'none' ? '' : others} "${path}"`,
    'StrictHostKeyChecking=yes',
  );
}
