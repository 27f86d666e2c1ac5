import type { SecretsClient } from '../../api/secrets.ts';
import { type Flag, flag } from '../../command.ts';
import { isNothing, usage } from '../../errors.ts';
import type { Place } from './place.ts';

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
