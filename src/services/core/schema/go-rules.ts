import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../http/decode-body.ts';
import type { Path, ReadingRules } from './read.ts';

/** Reads JSON as programs in Go do: names ignore case, null counts as missing, and what is missing is zero. */
export const goRules: ReadingRules = {
  canonical: (name) => name.toLowerCase(),
  convert: {
    string: (value) => (typeof value === 'string' ? value : undefined),
    boolean: (value) => (typeof value === 'boolean' ? value : undefined),
    integer: (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined),
    int64: toUnsigned,
    number: (value) => (typeof value === 'number' ? value : undefined),
    duration: toSeconds,
    list: (value) => (Array.isArray(value) ? value : undefined),
  },
  /** @throws FieldError */
  invalid(path: Path, expected: string, _value: Json): never {
    const names = path.flatMap((each, at) =>
      typeof each === 'string' ? [each] : at === 0 ? [`item ${each}`] : [],
    );
    const [name, subject = 'the body'] = names.toReversed();
    if (name === undefined) throw new FieldError(`the body must be ${expected}`);
    throw new FieldError(`${expected === 'an object' ? name : `${name} of ${subject}`} must be ${expected}`);
  },
};

/** The same for a value that is not the body. @param subject what errors call it */
export const goRulesFor = (subject: string): ReadingRules => ({
  ...goRules,
  invalid: (path, expected, value) => goRules.invalid([subject, ...path], expected, value),
});

function toUnsigned(value: Json): number | bigint | undefined {
  if (typeof value === 'bigint') return value >= 0n && value < 2n ** 64n ? value : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Seconds, from a duration or a number of nanoseconds. */
export function toSeconds(value: Json): number | undefined {
  const seconds = toSignedSeconds(value);
  return seconds === undefined || seconds < 0 ? undefined : seconds;
}

/** The same, which may be negative. */
export const toSignedSeconds = (value: Json): number | undefined =>
  typeof value === 'number' ? value / 1e9 : typeof value === 'string' ? parseDuration(value) : undefined;
