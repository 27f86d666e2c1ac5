import type { SecretsClient } from '../../api/secrets.ts';
import { type Flag, flag } from '../../command.ts';
import { isNothing, LanyardError, notFound, usage } from '../../errors.ts';
import { buried, missing, type Place } from './place.ts';

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
export function namedVersions(versions: readonly number[] | undefined): readonly number[] {
  if (versions) return versions;
  throw usage('missing flag --versions', {
    hint: 'Run `lanyard kv metadata get` for the existing versions.',
  });
}

interface Version {
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** What a write was for; the service reports success even if nothing changed. */
interface Meant {
  /** Undefined: the latest. */
  readonly versions: readonly number[] | undefined;
  /** A destroyed version counts as not done. */
  readonly living: boolean;
}

/**
 * Verifies after a write that the versions exist: the response is the same if they do not.
 *
 * @returns text to append to the name: empty, or "if it existed" if the token may not read the metadata.
 * @throws LanyardError not found: no version exists; unknown: some do not.
 */
export async function wasThere(secrets: SecretsClient, place: Place, meant: Meant): Promise<string> {
  const there = await metadataOf(secrets, place);
  if (there === undefined) return ', if it existed';
  const numbers = Object.keys(there.versions).map(Number);
  const wanted = meant.versions ?? [there.current_version];
  const lost = wanted.filter((number) => !numbers.includes(number));
  const dead = meant.living ? wanted.filter((number) => there.versions[number]?.destroyed === true) : [];
  const why = [
    ...(lost.length === 0 ? [] : [missed(lost, meant, place)]),
    ...(dead.length === 0 ? [] : [`version ${dead.join(', ')} of ${place.name} is destroyed`]),
  ].join(', and ');
  if (why === '') return '';
  const done = wanted.filter((number) => !lost.includes(number) && !dead.includes(number));
  const facts = { service: 'secrets', hint: hintOf(numbers, place) };
  if (done.length === 0) throw notFound(why, facts);
  throw new LanyardError('unknown', `${why}; applied to version ${done.join(', ')}`, facts);
}

const missed = (numbers: readonly number[], { versions }: Meant, { name }: Place): string =>
  versions === undefined
    ? `no version of ${name} exists`
    : `version ${numbers.join(', ')} of ${name} not found`;

/** The metadata of a secret; undefined: it cannot be read. @throws LanyardError not found */
async function metadataOf(secrets: SecretsClient, place: Place) {
  const { mount, path, name } = place;
  try {
    return (await secrets.readKvMetadata({ mount, path })).body.data;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (!isNothing(error)) return undefined;
    throw notFound(`secret ${name} not found`, {
      ...{
        service: 'secrets',
        status: 404,
        hint: `Run \`lanyard kv list ${mount}\` for the existing secrets.`,
      },
    });
  }
}

const hintOf = (numbers: readonly number[], { name }: Place): string =>
  numbers.length === 0
    ? 'Run `lanyard kv put` to write one.'
    : `Choose one of ${numbers.join(', ')}; run \`lanyard kv metadata get ${name}\` for details.`;

/**
 * Rejects with the reason a version cannot be read: as `missing`, and whether the version or the secret does not exist,
 * which the response does not say.
 */
export const noVersion =
  (secrets: SecretsClient, place: Place, version: number) =>
  async (error: unknown): Promise<never> => {
    if (!isNothing(error) || buried(error)) return missing(place)(error);
    const there = await metadataOf(secrets, place);
    const numbers = Object.keys(there?.versions ?? {}).map(Number);
    throw notFound(`version ${version} of ${place.name} not found`, {
      ...{ service: 'secrets', status: 404 },
      hint:
        there === undefined
          ? `Run \`lanyard kv get ${place.name}\` for the latest version.`
          : hintOf(numbers, place),
    });
  };

/** Checks the state of versions, to verify a write whose response was lost. */
export async function allVersions(
  secrets: SecretsClient,
  { mount, path }: Place,
  versions: readonly number[],
  are: (version: Version) => boolean,
): Promise<{ readonly done: boolean; readonly found: string }> {
  try {
    const there = (await secrets.readKvMetadata({ mount, path })).body.data.versions;
    const left = versions.filter((number) => {
      const version = there[number];
      return version !== undefined && !are(version);
    });
    return { done: left.length === 0, found: `version ${left.join(', ')} is unchanged` };
  } catch (error) {
    if (isNothing(error)) return { done: false, found: 'the secret does not exist' };
    throw error;
  }
}
