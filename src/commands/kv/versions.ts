import type { SecretsClient } from '../../api/secrets.ts';
import { type Flag, flag } from '../../command.ts';
import { isNothing, LanyardError, notFound, usage } from '../../errors.ts';
import { buried, missing, type Place } from './place.ts';

const list = flag.list('N,N', 'the versions');

/** `--versions 1,2`, at least one where it is given. */
export const versionsFlag: Flag<readonly number[] | undefined> = {
  ...list,
  parse: (values, name) => {
    const texts = list.parse(values, name);
    if (texts?.length === 0 || texts?.some((text) => !/^[1-9]\d{0,14}$/.test(text)))
      throw usage(`${name} takes version numbers such as 1,2`);
    return texts?.map(Number);
  },
};

/** The versions that must be named. @throws LanyardError usage */
export function namedVersions(versions: readonly number[] | undefined): readonly number[] {
  if (versions) return versions;
  throw usage('--versions says which', { hint: '"lanyard kv metadata get" shows those there are.' });
}

interface Version {
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** What a write that the service always answers well was for. */
interface Meant {
  /** Undefined: the latest. */
  readonly versions: readonly number[] | undefined;
  /** Can a destroyed version not be what it is to be? */
  readonly living: boolean;
}

/**
 * Looks, after a write, whether what it was for is there: a service answers the same when it is not.
 *
 * @returns what is to be said behind the name: nothing, or "if it was there" where the token may not look.
 * @throws LanyardError not found: none of it is there; unknown: not all.
 */
export async function wasThere(secrets: SecretsClient, place: Place, meant: Meant): Promise<string> {
  const there = await metadataOf(secrets, place);
  if (there === undefined) return ', if it was there';
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
  throw new LanyardError('unknown', `${why}; it is done for version ${done.join(', ')}`, facts);
}

const missed = (numbers: readonly number[], { versions }: Meant, { name }: Place): string =>
  versions === undefined
    ? `there is no version of ${name}`
    : `there is no version ${numbers.join(', ')} of ${name}`;

/** What is known of a secret; undefined: it cannot be read. @throws LanyardError not found */
async function metadataOf(secrets: SecretsClient, place: Place) {
  const { mount, path, name } = place;
  try {
    return (await secrets.readKvMetadata({ mount, path })).body.data;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (!isNothing(error)) return undefined;
    throw notFound(`there is no secret at ${name}`, {
      ...{ service: 'secrets', status: 404, hint: `"lanyard kv list ${mount}" shows those there are.` },
    });
  }
}

const hintOf = (numbers: readonly number[], { name }: Place): string =>
  numbers.length === 0
    ? '"lanyard kv put" writes one.'
    : `It has ${numbers.join(', ')}; "lanyard kv metadata get ${name}" shows them.`;

/**
 * Says why a version cannot be read: as `missing` does, and whether it is the version or the secret that is not
 * there, which the service does not tell.
 */
export const noVersion =
  (secrets: SecretsClient, place: Place, version: number) =>
  async (error: unknown): Promise<never> => {
    if (!isNothing(error) || buried(error)) return missing(place)(error);
    const there = await metadataOf(secrets, place);
    const numbers = Object.keys(there?.versions ?? {}).map(Number);
    throw notFound(`there is no version ${version} of ${place.name}`, {
      ...{ service: 'secrets', status: 404 },
      hint: there === undefined ? `"lanyard kv get ${place.name}" shows the latest.` : hintOf(numbers, place),
    });
  };

/** Looks whether all of these versions are in a state, to settle a write whose answer was lost. */
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
    return { done: left.length === 0, found: `version ${left.join(', ')} is as it was` };
  } catch (error) {
    if (isNothing(error)) return { done: false, found: 'there is no secret' };
    throw error;
  }
}
