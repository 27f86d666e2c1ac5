import { usage } from '../errors.ts';
import { type Flag, type FlagTable, flag, toKebabCase } from './command.ts';

/**
 * `--unset`: resets fields to their defaults, by the names of their flags, with or without `--`.
 *
 * @param names in kebab-case, of the flags whose fields have a default.
 */
export function unsetFlag<Name extends string>(names: readonly Name[]): Flag<readonly Name[]> {
  const list = flag.list('FLAG', 'reset the field of a flag; repeatable', {
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

const resettable = (fieldFlags: FlagTable): readonly string[] =>
  Object.keys(fieldFlags).filter((name) => fieldFlags[name]?.empty !== undefined);

/** `--unset` for the fields of these flags, without those that have no empty value. */
export const unsetFlagOf = (fieldFlags: FlagTable): Flag<readonly string[]> =>
  unsetFlag(resettable(fieldFlags).map(toKebabCase));

/**
 * The values of flags, with the empty value of each in `--unset`.
 *
 * @param fieldFlags as of `unsetFlagOf`
 * @throws LanyardError usage: a flag is given, and in --unset.
 */
export function withUnset<Given extends { readonly unset: readonly string[] }>(
  given: Given,
  fieldFlags: FlagTable,
): Given {
  const values = given as Given & Readonly<Record<string, unknown>>;
  const unset = resettable(fieldFlags).filter((name) => given.unset.includes(toKebabCase(name)));
  const isGiven = (value: unknown): boolean =>
    value !== undefined && !(Array.isArray(value) && value.length === 0);
  rejectSetAndUnset(
    (kebab) => unset.some((name) => toKebabCase(name) === kebab && isGiven(values[name])),
    given.unset,
  );
  return { ...given, ...Object.fromEntries(unset.map((name) => [name, fieldFlags[name]?.empty])) };
}
