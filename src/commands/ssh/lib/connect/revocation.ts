import type { Context } from '../../../../command/context.ts';
import { isFailure, LanyardError } from '../../../../errors.ts';
import { findLocation, locationText } from '../revoked/location.ts';
import { requireList } from '../revoked/store.ts';
import { entryText } from '../revoked/views.ts';
import { type Connection, pathOption } from './connection.ts';

/**
 * Reads the revocation list of `--revoked` or the profile and configures ssh to reject host keys in it, unless ssh_config
 * has a list of its own. A list that cannot be read is a warning: hosts have their own copy.
 *
 * @returns rejects a certificate of the user that is in the list.
 */
export async function applyRevocationList(
  { access, folder, settings, flags }: Pick<Connection, 'access' | 'folder' | 'settings' | 'flags'>,
  ctx: Context,
): Promise<Connection['rejectRevoked']> {
  const location = await findLocation(flags.revoked, ctx);
  if (location === undefined) return async () => undefined;
  const where = locationText(location);
  const list = await requireList(location, ctx).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    ctx.output.warn(`the revocation list is not used: ${error.message}`);
    return undefined;
  });
  if (list === undefined) return async () => undefined;
  if (!ctx.output.isDryRun && (settings.value('revokedhostkeys') ?? 'none') === 'none') {
    const path = `${folder}/revoked.krl`;
    await ctx.files.write([{ path, content: list.bytes, replace: false }]);
    access.options.push(pathOption('RevokedHostKeys', path));
  }
  return async (certificate) => {
    const { describeEntry, findRevocation, readRevocable } = await ctx.ssh.revocation();
    const found = findRevocation(list.krl, readRevocable(certificate, 'the certificate'));
    if (!found) return;
    throw new LanyardError(
      'forbidden',
      `cannot log in: your ${found.of} is revoked: ${entryText(describeEntry(found.entry))}`,
      {
        hint: `Run \`lanyard ssh revoked list --list ${where}\` for the entries, and use another key.`,
      },
    );
  };
}
