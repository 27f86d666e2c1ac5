import { flag } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';

/** Where a revocation list is kept: a key of the registry, a key-value secret (field `krl`), or a file. */
export interface ListLocation {
  readonly store: 'registry' | 'secrets' | 'file';
  /** A key, the mount and path of a secret, or the path of a file. */
  readonly path: string;
}

const forms = 'registry:KEY, secrets:MOUNT/PATH or a file';

export const listFlag = flag.name('LOCATION', `revocation list: ${forms} (default: from settings)`);

/** The location as users write it. */
export const locationText = ({ store, path }: ListLocation): string =>
  store === 'file' ? path : `${store}:${path}`;

/**
 * Reads a location: `registry:KEY`, `secrets:MOUNT/PATH`, `file:PATH` or `PATH`, as the record of a set is named.
 *
 * @throws LanyardError usage: another store, an empty path.
 */
export function parseLocation(text: string): ListLocation {
  const [, store, path = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  if (store === undefined && text !== '') return { store: 'file', path: text };
  const isKnown = store === 'registry' || store === 'secrets' || store === 'file';
  if (isKnown && path !== '') return { store, path };
  throw usage(`invalid location "${text}" of the revocation list: expected ${forms}`, {
    hint: 'Add file: before the path of a file that begins like another store.',
  });
}

/** The location of `--list`, the environment or the profile; undefined: none is set. */
export async function findLocation(
  given: string | undefined,
  { profile }: Pick<Context, 'profile'>,
): Promise<ListLocation | undefined> {
  const text = given ?? (await profile.sshDefaults()).revoked;
  return text === undefined ? undefined : parseLocation(text);
}

/** The same. @throws LanyardError usage: none is set. */
export async function requireLocation(
  given: string | undefined,
  ctx: Pick<Context, 'profile'>,
): Promise<ListLocation> {
  const location = await findLocation(given, ctx);
  if (location) return location;
  const { withheld } = await ctx.profile.sshDefaults();
  throw usage('no location of the revocation list is set', {
    details: withheld === undefined ? [] : [withheld],
    hint: 'Add --list registry:ssh/revoked, or run `lanyard profile put NAME --ssh-revoked registry:ssh/revoked`.',
  });
}
