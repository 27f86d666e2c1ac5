import type { Schema } from '../../src/objects/schema.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import type { Json } from '../../src/wire/json.ts';
import { memberOf } from '../../src/wire/objects.ts';

/** Random choices that a seed determines (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `low` to `high`, inclusive. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.integer(0, items.length - 1)] as Item;
  }

  /** Different items, in random order. */
  some<Item>(items: readonly Item[], least: number, most: number): Item[] {
    const rest = [...new Set(items)];
    const count = Math.min(this.integer(least, most), rest.length);
    return Array.from({ length: count }, () => rest.splice(this.integer(0, rest.length - 1), 1)[0] as Item);
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.integer(0, 15).toString(16)).join('');
    return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  }
}

/** Texts that YAML, shells and services may read as something else. */
export const texts: readonly string[] = [
  'plain',
  'on',
  'No',
  'null',
  '~',
  '1e3',
  '0x1f',
  '0o17',
  '1.10',
  '007',
  '.inf',
  '2026-01-01',
  '12:30:45',
  '-',
  '- item',
  'key: value',
  '# comment',
  'before #after',
  '"quoted"',
  "it's",
  '\\n and \\',
  '{a: [b]}',
  '*alias',
  '&anchor',
  '!tag',
  '%percent',
  '@at',
  '`code`',
  '<<',
  '[lanyard:',
  'two\nlines',
  'lines\n\n  indented\nend\n',
  'tab\tinside',
  'Grüße, 漢字 ✓ 🗝',
  'e\u0301 and é',
  'no\u00a0break',
  'a, b,c',
  `long ${'word '.repeat(30)}end`,
];

const durations: readonly Json[] = ['1s', '90s', '59m', '1h', '2h30m', '36h', '1h0m1s'];

export interface Overrides {
  /** By the name of the field, or `field.field`; undefined: the field is left out. */
  readonly [path: string]: ((random: Random) => Json | undefined) | undefined;
}

/**
 * Values of some of the fields of a schema, and of all that are required. A field with a pattern or a meaning that the
 * schema does not state needs an override.
 *
 * @param overrides values of fields, each left out like any other; a field with `undefined` is never stated
 */
export function fieldsOf(
  schema: Schema,
  random: Random,
  overrides: Overrides = {},
  probability = 0.5,
): JsonObject {
  if (schema.type !== 'object') return {};
  return objectOf(schema, random, { overrides, probability, path: '' });
}

/** Each of the fields, or not. */
export const optional = (random: Random, fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(() => random.chance(0.5)));

interface Generating {
  readonly overrides: Overrides;
  readonly probability: number;
  readonly path: string;
}

function objectOf(
  schema: Schema & { readonly type: 'object' },
  random: Random,
  { overrides, probability, path }: Generating,
): JsonObject {
  const members = Object.entries(schema.properties).flatMap(([name, property]): [string, Json][] => {
    const full = path === '' ? name : `${path}.${name}`;
    const isOverridden = Object.hasOwn(overrides, full);
    const isStated = schema.required?.includes(name) || random.chance(probability);
    if (!isStated || (isOverridden && overrides[full] === undefined)) return [];
    const value = isOverridden
      ? memberOf(overrides, full)?.(random)
      : generated(property, random, { overrides, probability, path: full });
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

function generated(schema: Schema, random: Random, generating: Generating): Json {
  switch (schema.type) {
    case 'string':
      return schema.enum ? random.pick(schema.enum) : random.pick(texts);
    case 'duration':
      return random.pick(durations);
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 100_000 } = schema;
      return random.pick([minimum, minimum + 1, maximum, random.integer(minimum, maximum)]);
    }
    case 'boolean':
      return random.chance(0.5);
    case 'list':
      return random.some(words, 0, 3);
    case 'map':
      return mapOf(random);
    case 'object':
      return objectOf(schema, random, generating);
    default:
      return random.pick(texts);
  }
}

/** Names without characters that lists or paths separate at. */
export const words: readonly string[] = [
  'web',
  'on',
  '1e3',
  'X-Trace',
  'a.b',
  'a_b',
  'UPPER',
  'null',
  '0x1f',
];

export const mapOf = (random: Random, names = words, values = texts): JsonObject =>
  Object.fromEntries(random.some(names, 0, 3).map((name) => [name, random.pick(values)]));

/** Any JSON value. */
export const anyValue = (random: Random): Json =>
  random.pick<() => Json>([
    () => random.pick(texts),
    () => random.integer(-5, 2 ** 40),
    () => random.chance(0.5),
    () => [random.pick(texts), random.integer(0, 9), null],
    () => ({ ...mapOf(random), nested: { list: [] } }),
  ])();
