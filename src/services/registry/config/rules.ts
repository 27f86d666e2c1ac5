import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { goRules } from '../../core/schema/go-rules.ts';
import type { Path, ReadingRules } from '../../core/schema/read.ts';
import * as s from '../../core/schema/types.ts';
import { formatNanoseconds, readNanoseconds } from './duration.ts';

/** Values of config entries and proxies: an empty value counts as missing, and is not stored. */
export const text = s.nonEmpty(s.string());
export const flag = s.nonEmpty(s.boolean());
export const integer = s.nonEmpty(s.integer());
export const list = <Item extends s.Type>(items: Item) => s.nonEmpty(s.list(items));
export const map = <Value extends s.Type>(values: Value) => s.nonEmpty(s.map(values));
export const strings = list(s.string());
export const stringMap = map(s.string());

const maxUnsigned = 2 ** 32 - 1;
const expectedUnsigned = `an integer from 0 to ${maxUnsigned}`;
const unsignedItem = s.converted(s.integer(undefined, { minimum: 0 }), (value) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxUnsigned)
    return value;
  throw new Error(expectedUnsigned);
});
/** An integer from 0 to 2^32 - 1. */
export const unsigned = s.nonEmpty(unsignedItem);
export const unsignedList = list(unsignedItem);

function toNanoseconds(value: Json): number {
  const nanoseconds = value === '' ? undefined : readNanoseconds(value);
  if (nanoseconds === undefined) throw new Error('a duration such as "5s"');
  return nanoseconds;
}

function toGoDuration(value: Json): string {
  const nanoseconds = toNanoseconds(value);
  return nanoseconds === 0 ? '' : formatNanoseconds(nanoseconds);
}

/** What a request has for a duration. */
export const durationInput = { anyOf: [{ type: 'string' }, { type: 'integer' }] };
/** Written in Go style: `1m30s`. */
export const duration = s.nonEmpty(s.converted(s.string(), toGoDuration, durationInput));
/** A duration that is written as a number. */
export const nanoseconds = s.nonEmpty(s.converted(s.integer(), toNanoseconds, durationInput));

/**
 * Reads names of fields in any case and in snake_case.
 * @param type of the value, for the paths in errors
 * @param unknown receives the paths of fields that it does not have
 */
export const configRules = (type: s.Type, unknown: string[] = []): ReadingRules => ({
  canonical: (name) => name.replaceAll('_', '').toLowerCase(),
  convert: goRules.convert,
  /** @throws FieldError */
  invalid(path, expected) {
    throw new FieldError(`${pathText(type, path) || 'it'} must be ${expected}`);
  },
  unknown(path, names) {
    for (const name of names) unknown.push(pathText(type, [...path, name]));
  },
});

/** A path as in `Failover[*].Targets[0].Peer`. */
function pathText(type: s.Type, path: Path): string {
  let at: s.Type | undefined = type;
  let found = '';
  for (const part of path) {
    const isMember: boolean = at === undefined || s.isObjectType(at);
    const separator = found === '' ? '' : '.';
    found += isMember ? `${separator}${part}` : `[${part}]`;
    if (!at) continue;
    if (s.isList(at)) at = at.items;
    else if (s.isMap(at)) at = at.values;
    else at = s.isObjectType(at) ? at.fields[part] : undefined;
  }
  return found;
}
