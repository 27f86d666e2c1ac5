import { usage } from '../errors.ts';
import { type Flag, flag } from './command.ts';

/**
 * `--unset`: resets fields to their defaults, by the names of their flags, with or without `--`.
 *
 * @param names in kebab-case, of the flags whose fields have a default.
 */
export function unsetFlag<Name extends string>(names: readonly Name[]): Flag<readonly Name[]> {
  const list = flag.list('FLAG', 'reset the field of a flag to its default; repeatable', {
    completes: names,
  });
  return {
    ...list,
    parse: (values, flagName) =>
      (list.parse(values, flagName) ?? []).map((given) => {
        const bare = given.replace(/^--/, '');
        const name = names.find((each) => each === bare);
        if (name === undefined)
          throw usage(`invalid ${flagName} "${given}": expected one of ${names.join(', ')}`);
        return name;
      }),
  };
}

/** @throws LanyardError usage: a flag is given, and in --unset. */
export function rejectSetAndUnset(isGiven: (name: string) => boolean, unset: readonly string[]): void {
  const both = unset.find(isGiven);
  if (both !== undefined) throw usage(`--${both} cannot be combined with --unset ${both}`);
}
