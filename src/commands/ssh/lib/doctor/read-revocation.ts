import type { Context } from '../../../../command/context.ts';
import { insteadOf, isFailure } from '../../../../errors.ts';
import { findLocation, locationText } from '../revoked/location.ts';
import { requireList } from '../revoked/store.ts';
import { entryText } from '../revoked/views.ts';

/** An entry of the revocation list of the settings that is about a key or certificate. */
export interface ListedRevocation {
  readonly of: 'certificate' | 'key' | 'CA';
  /** The entry, for messages. */
  readonly entry: string;
  /** Where the list is kept. */
  readonly location: string;
}

/**
 * Looks for a key or certificate in the revocation list of `--revoked` or the settings. Hosts have a copy of it.
 *
 * @param line of the certificate or public key.
 * @returns undefined: it is not in the list, no list is set, or it cannot be read.
 */
export async function readRevocation(
  line: string,
  given: string | undefined,
  ctx: Context,
): Promise<ListedRevocation | undefined> {
  const location = await findLocation(given, ctx);
  if (location === undefined) return undefined;
  const list = await requireList(location, ctx).catch(insteadOf(isFailure, undefined));
  const { describeEntry, findRevocation, readRevocable } = await ctx.ssh.revocation();
  const found = list && findRevocation(list.krl, readRevocable(line, 'the certificate'));
  return (
    found && {
      of: found.of,
      entry: entryText(describeEntry(found.entry)),
      location: locationText(location),
    }
  );
}
