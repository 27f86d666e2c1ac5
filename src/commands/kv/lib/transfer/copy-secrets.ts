import type { SecretsClient } from '../../../../api/secrets.ts';
import { arg, flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { isNotFound, notFound, usage } from '../../../../errors.ts';
import { isEqual } from '../../../../output/diff.ts';
import { countText } from '../../../../output/humanize.ts';
import { mapConcurrently } from '../../../../wire/concurrently.ts';
import { listSecrets, resolveDirectory, type SecretNames, secretIn } from '../list-secrets.ts';
import { apiAt, type End, overlap, serviceOf, toNamespaceFlag, toProfileFlag } from '../place.ts';
import { checkForbidden, readSecrets } from '../read-secrets.ts';
import { requireSecret, type SecretPath } from '../secret-path.ts';
import { readSecret } from '../secret-state.ts';
import { earlierData } from './earlier-data.ts';
import {
  type Planned,
  planSecret,
  rejectExisting,
  type SourceSecret,
  type WantedSecret,
} from './plan-transfer.ts';
import { defaultMetadata, readStored } from './stored-secret.ts';
import { noteSkipped } from './views.ts';

export const copyArgs = {
  source: arg.text('SRC', 'mount and name of the secret, or of a directory with --recursive', {
    completes: 'kv-path',
  }),
  destination: arg.text('DST', 'mount and name of the copy; with a slash at the end, the directory for it', {
    completes: 'kv-path',
  }),
};

export const copyFlags = {
  recursive: flag.boolean('all secrets below the directory SRC'),
  overwrite: flag.boolean('replace secrets that exist and differ'),
  allVersions: flag.boolean('all versions with data; DST must have none'),
  allowPartial: flag.boolean('only the secrets that the token has permission to read'),
  toProfile: toProfileFlag,
  toNamespace: toNamespaceFlag,
  dryRun: flag.boolean('show what would be written without sending any change'),
};

/** A secret to copy. */
export interface Copy extends Planned {
  readonly source: SourceSecret;
}

export interface CopyPlan {
  readonly from: SecretsClient;
  readonly to: SecretsClient;
  readonly copies: readonly Copy[];
}

interface CopyInput {
  readonly args: Values<typeof copyArgs>;
  readonly flags: Values<typeof copyFlags>;
}

/**
 * Reads source and destination, and decides what to write; nothing is written.
 *
 * @param verb `copy` or `move`, for messages.
 * @throws LanyardError conflict: secrets exist at the destination and differ; forbidden: some cannot be read.
 */
export async function planCopy(verb: string, { args, flags }: CopyInput, ctx: Context): Promise<CopyPlan> {
  const destinationApi = await apiAt(ctx, flags.toProfile, flags.toNamespace);
  const [from, to] = await Promise.all([ctx.api.secrets(), destinationApi.secrets()]);
  const source = flags.recursive
    ? await resolveDirectory(from, args.source, undefined)
    : await requireSecret(from, args.source.replace(/\/+$/, ''), undefined);
  const destination = await resolveDestination(to, args.destination, flags.recursive ? undefined : source);
  const [here, there] = await Promise.all([serviceOf(ctx.api), serviceOf(destinationApi)]);
  rejectOverlap(
    verb,
    { path: source, service: here },
    { path: destination, service: there },
    flags.recursive,
  );
  if (flags.allVersions && (source.version === 1 || destination.version === 1))
    throw usage('--all-versions is not supported: a key-value engine of version 1 has no versions');
  const named = flags.recursive
    ? await namesBelow(from, source)
    : { names: [''], forbidden: [], denial: undefined };
  const read = await readSecrets(
    named.names.map((name) => ({ name, from: secretIn(source, name) })),
    (at) => readStored(from, at, ctx.system.clock()),
  );
  const forbidden = [...named.forbidden.map((name) => `${source.name}/${name}`), ...read.forbidden];
  checkForbidden(verb, forbidden, flags, ctx.output);
  const withData = read.found.filter(({ stored }) => stored.data !== undefined);
  if (!flags.recursive && withData.length === 0) await rejectMissing(from, source);
  const unread = withData.filter(({ stored }) => stored.metadata === null).length;
  if (unread > 0)
    ctx.output.warn(`the metadata of ${countText(unread, 'secret')} is not copied: no permission to read it`);
  const lost = withData.filter(({ stored }) => !isEqual(stored.metadata ?? defaultMetadata, defaultMetadata));
  if (destination.version === 1 && lost.length > 0)
    ctx.output.warn(
      `the metadata of ${countText(lost.length, 'secret')} is not copied: a key-value engine of version 1 has none`,
    );
  const copies = await mapConcurrently(withData, async (each): Promise<Copy> => {
    const wanted = await wantedOf(from, each, flags.allVersions);
    const planned = await planSecret(to, secretIn(destination, each.name), wanted, ctx.system.clock());
    return { ...planned, source: each };
  });
  rejectExisting(copies, flags.overwrite, 'Add --overwrite to replace what exists.');
  noteSkipped(ctx.output, read.found);
  return { from, to, copies };
}

/** @param source of one secret, which keeps its name in a directory; undefined: the destination is the directory. */
async function resolveDestination(
  secrets: SecretsClient,
  path: string,
  source: SecretPath | undefined,
): Promise<SecretPath> {
  const directory = await resolveDirectory(secrets, path, undefined);
  const isDirectory = path.endsWith('/') || directory.path === '';
  return source && isDirectory ? secretIn(directory, source.path.replace(/^.*\//s, '')) : directory;
}

/** @throws LanyardError usage: the copy would be among what is copied. */
function rejectOverlap(verb: string, source: End, destination: End, isRecursive: boolean): void {
  const how = overlap(source, destination);
  if (how === 'same') throw usage(`cannot ${verb} ${source.path.name}: source and destination are the same`);
  if (isRecursive && how !== undefined)
    throw usage(`cannot ${verb} ${source.path.name} to ${destination.path.name}: one is inside the other`);
}

/** The names below a directory. @throws LanyardError not found */
async function namesBelow(secrets: SecretsClient, directory: SecretPath): Promise<SecretNames> {
  const found = await listSecrets(secrets, directory);
  if (found.denial && found.names.length === 0) throw found.denial;
  if (found.names.length > 0) return found;
  throw notFound(`no secrets below ${directory.name}/`, {
    service: 'secrets',
    hint: 'For one secret, leave out --recursive.',
  });
}

/** @throws LanyardError not found, with the reason. */
async function rejectMissing(secrets: SecretsClient, source: SecretPath): Promise<never> {
  try {
    await readSecret(secrets, source);
  } catch (error) {
    if (!isNotFound(error) || (await listSecrets(secrets, source)).names.length === 0) throw error;
    throw error.withHint('It is a directory: add --recursive for all secrets below it.');
  }
  throw notFound(`secret "${source.name}" has no data (null)`, { service: 'secrets' });
}

async function wantedOf(
  secrets: SecretsClient,
  { from, stored }: SourceSecret,
  hasAllVersions: boolean,
): Promise<WantedSecret> {
  const wanted: WantedSecret = { data: stored.data ?? {}, metadata: stored.metadata ?? undefined };
  return hasAllVersions ? { ...wanted, earlier: await earlierData(secrets, from, stored.older) } : wanted;
}
