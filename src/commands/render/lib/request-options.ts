import { usage } from '../../../errors.ts';
import type { ValueRequest } from '../../../output/template/requests.ts';

const kinds = { text: 'string', flag: 'boolean', number: 'number' } as const;

interface OptionValues {
  readonly text: string;
  readonly flag: boolean;
  readonly number: number;
}

/** The options of a request, by name: what each of them is. */
export type OptionKinds = Readonly<Record<string, keyof OptionValues>>;

export type Options<Kinds extends OptionKinds> = {
  readonly [Name in keyof Kinds]?: OptionValues[Kinds[Name]];
};

/** @throws LanyardError usage: an option that the filter does not have, or with a value of another type. */
export function checkedOptions<const Kinds extends OptionKinds>(
  { source, options }: ValueRequest,
  known: Kinds,
): Options<Kinds> {
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined)
      throw usage(
        names.length === 0
          ? `the filter "${source}" has no options`
          : `the filter "${source}" has no option "${name}": expected ${names.join(', ')}`,
      );
    if (typeof value !== kinds[kind])
      throw usage(`invalid ${name} of the filter "${source}": expected ${expected[kind]}`);
  }
  return options as Options<Kinds>;
}

const expected: Readonly<Record<keyof OptionValues, string>> = {
  text: 'text in quotes',
  flag: 'true or false',
  number: 'a number',
};
