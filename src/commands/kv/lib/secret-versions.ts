import { removedVersion } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { type Flag, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { isEmptyListError, LanyardError, notFound, usage } from '../../../errors.ts';
import { describeMissingSecret, requireVersionedSecret, type SecretPath } from './secret-path.ts';

const list = flag.list('N,N', 'version numbers');

/** `--versions 1,2`, at least one if given. */
export const versionsFlag: Flag<readonly number[] | undefined> = {
  ...list,
  parse: (values, name) => {
    const texts = list.parse(values, name);
    if (texts?.length === 0 || texts?.some((text) => !/^[1-9]\d{0,14}$/.test(text)))
      throw usage(`invalid ${name}: expected version numbers such as 1,2`);
    return texts?.map(Number);
  },
};

/** The required versions. @throws LanyardError usage */
function requiredVersions(versions: readonly number[] | undefined): readonly number[] {
  if (versions) return versions;
  throw usage('missing flag --versions', {
    hint: 'Run `lanyard kv metadata get` for the existing versions.',
  });
}

/** The secret and the versions that a command changes. @throws LanyardError usage: no versions, or an unversioned mount */
export async function selectVersions(
  path: string,
  flags: { readonly versions: readonly number[] | undefined; readonly mount: string | undefined },
  { api }: Pick<Context, 'api'>,
) {
  const versions = requiredVersions(flags.versions);
  const secrets = await api.secrets();
  const secretPath = await requireVersionedSecret(secrets, path, flags.mount);
  const { mount, name } = secretPath;
  const request = { mount, path: secretPath.path, versions };
  return { secrets, secretPath, versions, request, name, these: `version ${versions.join(', ')} of ` };
}

interface Version {
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** What a write was for; the service reports success even if nothing changed. */
interface VersionSelection {
  /** Undefined: the latest. */
  readonly versions: readonly number[] | undefined;
  /** A destroyed version counts as not done. */
  readonly expectsLive: boolean;
}

/**
 * Verifies after a write that the versions exist: the response is the same if they do not.
 *
 * @returns text to append to the name: empty, or "if it existed" if the token may not read the metadata.
 * @throws LanyardError not found: no version exists; unknown: some do not.
 */
export async function checkVersions(
  secrets: SecretsClient,
  secretPath: SecretPath,
  selection: VersionSelection,
): Promise<string> {
  const existing = await readMetadata(secrets, secretPath);
  if (existing === undefined) return ', if it existed';
  const numbers = Object.keys(existing.versions).map(Number);
  const desired = selection.versions ?? [existing.current_version];
  const absent = desired.filter((number) => !numbers.includes(number));
  const removed = selection.expectsLive
    ? desired.filter((number) => existing.versions[number]?.destroyed === true)
    : [];
  const cause = [
    ...(absent.length === 0 ? [] : [versionsNotFoundError(absent, selection, secretPath)]),
    ...(removed.length === 0 ? [] : [`version ${removed.join(', ')} of ${secretPath.name} is destroyed`]),
  ].join(', and ');
  if (cause === '') return '';
  const done = desired.filter((number) => !absent.includes(number) && !removed.includes(number));
  const facts = { service: 'secrets', hint: hintOf(numbers, secretPath) };
  if (done.length === 0) throw notFound(cause, facts);
  throw new LanyardError('unknown', `${cause}; applied to version ${done.join(', ')}`, facts);
}

const versionsNotFoundError = (
  numbers: readonly number[],
  { versions }: VersionSelection,
  { name }: SecretPath,
): string =>
  versions === undefined
    ? `no version of secret "${name}" exists`
    : `version ${numbers.join(', ')} of secret "${name}" not found`;

/** The metadata of a secret; undefined: it cannot be read. @throws LanyardError not found */
async function readMetadata(secrets: SecretsClient, secretPath: SecretPath) {
  const { mount, path } = secretPath;
  try {
    return (await secrets.readKvMetadata({ mount, path })).body.data;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    return isEmptyListError(error) ? describeMissingSecret(secretPath)(error) : undefined;
  }
}

const hintOf = (numbers: readonly number[], { name }: SecretPath): string =>
  numbers.length === 0
    ? 'Run `lanyard kv put` to write one.'
    : `Choose one of ${numbers.join(', ')}; run \`lanyard kv metadata get ${name}\` for details.`;

/**
 * Rejects with the reason a version cannot be read: as `missing`, and whether the version or the secret does not exist,
 * which the response does not say.
 */
export const describeMissingVersion =
  (secrets: SecretsClient, secretPath: SecretPath, version: number) =>
  async (error: unknown): Promise<never> => {
    if (!isEmptyListError(error) || removedVersion(error)) return describeMissingSecret(secretPath)(error);
    const existing = await readMetadata(secrets, secretPath);
    const numbers = Object.keys(existing?.versions ?? {}).map(Number);
    throw notFound(`version ${version} of secret "${secretPath.name}" not found`, {
      service: 'secrets',
      status: 404,
      hint:
        existing === undefined
          ? `Run \`lanyard kv get ${secretPath.name}\` for the latest version.`
          : hintOf(numbers, secretPath),
    });
  };

/** Checks the state of versions, to verify a write whose response was lost. */
export async function checkAllVersions(
  secrets: SecretsClient,
  { mount, path }: SecretPath,
  versions: readonly number[],
  are: (version: Version) => boolean,
): Promise<{ readonly done: boolean; readonly found: string }> {
  try {
    const existing = (await secrets.readKvMetadata({ mount, path })).body.data.versions;
    const remaining = versions.filter((number) => {
      const version = existing[number];
      return version !== undefined && !are(version);
    });
    return { done: remaining.length === 0, found: `version ${remaining.join(', ')} is unchanged` };
  } catch (error) {
    if (isEmptyListError(error)) return { done: false, found: 'the secret does not exist' };
    throw error;
  }
}
