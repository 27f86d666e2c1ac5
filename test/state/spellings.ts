import fc from 'fast-check';
import type {
  DurationSchema,
  ListSchema,
  ObjectSchema,
  Schema,
  StringSchema,
} from '../../src/objects/schema.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { acceptsNumbers } from '../../src/state/validate.ts';
import type { Json } from '../../src/wire/json.ts';

/** Other spellings of a value that no service distinguishes, by the schema alone: nothing here uses the normal form. */
export function spellingsOf(schema: Schema, value: Json): fc.Arbitrary<Json> {
  if (value === null) return fc.constant(value);
  switch (schema.type) {
    case 'string':
      return texts(schema, value);
    case 'duration':
      return durations(schema, value);
    case 'integer':
      return fc.constantFrom(value, String(value));
    case 'list':
      return lists(schema, value);
    case 'map':
      return isNamed(value)
        ? shuffled(
            Object.entries(value).map(([name, member]) =>
              (isNothing(schema.values, member)
                ? noneOf(schema.values)
                : spellingsOf(schema.values, member)
              ).map((each): [string, Json] => [name, each]),
            ),
          ).map((members) => Object.fromEntries(members))
        : fc.constant(value);
    case 'object':
      return isNamed(value) ? objects(schema, value) : fc.constant(value);
    case 'any':
      return reordered(value);
    default:
      return fc.constant(value);
  }
}

const isNamed = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shuffled = <Item>(items: readonly fc.Arbitrary<Item>[]): fc.Arbitrary<Item[]> =>
  fc.tuple(...items).chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/** Any JSON value, with the names of its objects in another order. */
function reordered(value: Json): fc.Arbitrary<Json> {
  if (Array.isArray(value)) return fc.tuple(...value.map(reordered));
  if (!isNamed(value)) return fc.constant(value);
  const members = Object.entries(value).map(([name, member]) =>
    reordered(member).map((each): [string, Json] => [name, each]),
  );
  return shuffled(members).map((all) => Object.fromEntries(all));
}

function texts(schema: StringSchema, value: Json): fc.Arbitrary<Json> {
  const text = String(value);
  const ways: fc.Arbitrary<Json>[] = [fc.constant(text)];
  if (/^(0|[1-9]\d{0,14})$/.test(text) && acceptsNumbers(schema)) ways.push(fc.constant(Number(text)));
  if (schema.form === 'name')
    ways.push(
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((upper) => [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join('')),
    );
  if (schema.form === 'trimmed')
    ways.push(fc.tuple(spaces, spaces).map(([before, after]) => `${before}${text}${after}`));
  if (schema.form === 'lines') ways.push(lines(text));
  if (schema.form === 'time')
    ways.push(fc.integer({ min: -14, max: 14 }).map((hours) => inZone(text, hours)));
  return fc.oneof(...ways).filter((each) => isAccepted(schema, each));
}

const spaces = fc.constantFrom('', ' ', '\n', ' \t');

/** Trailing white space of each line, ends of lines as Windows writes them, and any number of empty lines at the end. */
const lines = (text: string): fc.Arbitrary<string> => {
  const [kept] = [text.replace(/\s+$/, '').split('\n')];
  return fc
    .tuple(
      fc.array(fc.constantFrom('', '', ' ', '\t'), { minLength: kept.length, maxLength: kept.length }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\n', '\n\n', '\r\n', '\n \n'),
    )
    .map(
      ([ends, newline, end]) =>
        kept.map((line, at) => line.replace(/\r$/, '') + ends[at]).join(newline) + end,
    );
};

function inZone(time: string, hours: number): string {
  const moved = new Date(Date.parse(time) + hours * 3_600_000).toISOString().slice(0, 19);
  return `${moved}${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}

const nanoseconds = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1000n,
  ns: 1n,
};
type Unit = keyof typeof nanoseconds;
const units = Object.keys(nanoseconds) as Unit[];

/** What a duration means, in nanoseconds. */
function meaning({ unit }: DurationSchema, value: Json): bigint {
  if (typeof value === 'number' || typeof value === 'bigint')
    return unit === 'nanoseconds' ? BigInt(value) : BigInt(Math.round(Number(value) * 1000)) * 1_000_000n;
  const text = String(value);
  if (/^\d*$/.test(text)) return BigInt(text) * nanoseconds.s;
  return [...text.matchAll(/(\d+)(h|ms|m|s|us|ns)/g)].reduce(
    (sum, [, count = '0', name]) => sum + BigInt(count) * nanoseconds[name as Unit],
    0n,
  );
}

/** In each unit that divides it, in several units, with a fraction, as a number, and as the text of a number. */
function durations(schema: DurationSchema, value: Json): fc.Arbitrary<Json> {
  const length = meaning(schema, value);
  const whole = units.flatMap((unit) =>
    length % nanoseconds[unit] === 0n ? [`${length / nanoseconds[unit]}${unit}`] : [],
  );
  const mixed = (used: readonly Unit[]): string => {
    let rest = length;
    const parts = units.flatMap((unit) => {
      if (unit !== 'ns' && !used.includes(unit)) return [];
      const count = rest / nanoseconds[unit];
      rest -= count * nanoseconds[unit];
      return count === 0n ? [] : [`${count}${unit}`];
    });
    return parts.length === 0 ? '0s' : parts.join('');
  };
  const seconds = Number(length) / 1e9;
  const inSeconds = `${(length / nanoseconds.s).toString()}.${(length % nanoseconds.s).toString().padStart(9, '0')}s`;
  const numbers: Json[] =
    schema.unit === 'nanoseconds' ? [Number(length), length] : [seconds, String(seconds)];
  return fc.oneof(
    fc.constantFrom<Json>(value, ...whole, inSeconds, ...numbers),
    fc.subarray(units).map(mixed),
  );
}

function lists(schema: ListSchema, value: Json): fc.Arbitrary<Json> {
  const given = schema.isCommaSeparated && !Array.isArray(value) ? String(value).split(',') : value;
  if (!Array.isArray(given)) return fc.constant(value);
  const items = given.map((item) => spellingsOf(schema.items, typeof item === 'string' ? item.trim() : item));
  // In a set also in another order, and some items twice.
  const all: fc.Arbitrary<Json[]> = schema.isSet
    ? fc
        .tuple(
          shuffled(items),
          items.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...items), { maxLength: 2 }),
          fc.boolean(),
        )
        .map(([once, again, atFront]) => (atFront ? [...again, ...once] : [...once, ...again]))
    : fc.tuple(...items);
  if (!schema.isCommaSeparated) return all;
  const joined = fc
    .tuple(all, fc.constantFrom(',', ', ', ' ,'))
    .map(
      ([each, comma]): Json =>
        each.length === 1 && typeof each[0] === 'number' ? each[0] : each.join(comma),
    );
  return fc.oneof(all, joined);
}

/** The spellings of what is the same as no value. */
function noneOf(schema: Schema, isRequired = false): fc.Arbitrary<Json> {
  const nothing: readonly Json[] = isRequired ? [] : [null];
  if (schema.default !== undefined) {
    const usual = spellingsOf(schema, schema.default);
    return isRequired ? usual : fc.oneof(usual, fc.constant(null));
  }
  const zeros: { readonly [Type in Schema['type']]: readonly Json[] } = {
    string: schema.type === 'string' && isAccepted(schema, '') ? [''] : [],
    duration: [0, '0s', '', '0', '0h0m0s', '0ms'],
    integer: schema.type === 'integer' && (schema.minimum ?? 0) > 0 ? [] : [0, '0'],
    number: schema.type === 'number' && (schema.minimum ?? 0) > 0 ? [] : [0],
    // False is a statement where the service may assign true.
    boolean: schema.isAssigned ? [] : [false],
    any: [],
    list: schema.type === 'list' && schema.isCommaSeparated ? [[], ''] : [[]],
    map: [{}],
    object: [{}],
  };
  return fc.constantFrom<Json>(...nothing, ...zeros[schema.type]);
}

/** Whether a stated value is the same as none. */
function isNothing(schema: Schema, value: Json): boolean {
  if (value === null) return true;
  if (schema.default !== undefined) return JSON.stringify(value) === JSON.stringify(schema.default);
  if (schema.type === 'any') return false;
  if (schema.type === 'duration') return meaning(schema, value) === 0n;
  if (schema.type === 'list') return value === '' || (Array.isArray(value) && value.length === 0);
  return isNamed(value)
    ? Object.keys(value).length === 0
    : value === '' || value === false || Number(value) === 0;
}

function isAccepted({ enum: choices, pattern, minLength = 0 }: StringSchema, value: Json): boolean {
  const text = String(value);
  return (choices?.includes(text) ?? true) && (pattern?.test(text) ?? true) && text.length >= minLength;
}

/** Fields in another order, under other names, those without a value left out or in any spelling of none. */
function objects(schema: ObjectSchema, value: JsonObject): fc.Arbitrary<Json> {
  const stated = new Map(
    Object.entries(value).map(([name, member]) => [propertyNamed(schema, name), member]),
  );
  const names = new Set([...Object.keys(schema.properties), ...stated.keys()]);
  const members = [...names].map((name): fc.Arbitrary<readonly (readonly [string, Json])[]> => {
    const property = schema.properties[name] ?? ({ type: 'any' } as const);
    const isRequired = schema.required?.includes(name) ?? false;
    const member = stated.get(name);
    const named = (values: fc.Arbitrary<Json>) =>
      fc.tuple(namesOf(schema, name), values).map((entry) => [entry]);
    if (member !== undefined && !isNothing(property, member)) return named(spellingsOf(property, member));
    if (isRequired) return member === undefined ? fc.constant([]) : named(noneOf(property, true));
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: named(noneOf(property)) },
    );
  });
  return shuffled(members).map((all) => Object.fromEntries(all.flat()));
}

const folded = (name: string): string => name.replaceAll('_', '').toLowerCase();

const propertyNamed = ({ properties, foldsNames }: ObjectSchema, name: string): string =>
  (foldsNames && Object.keys(properties).find((each) => folded(each) === folded(name))) || name;

/** `ServiceName`: `service_name`, `serviceName`, `servicename`, `SERVICE_NAME`. */
function namesOf({ foldsNames, properties }: ObjectSchema, name: string): fc.Arbitrary<string> {
  if (!foldsNames || !Object.hasOwn(properties, name)) return fc.constant(name);
  const snake = name.replace(/([a-z\d])([A-Z])/g, '$1_$2');
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  return fc.constantFrom(name, snake.toLowerCase(), snake.toUpperCase(), camel, name.toLowerCase());
}
