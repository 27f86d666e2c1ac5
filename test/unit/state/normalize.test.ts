import { describe, expect, test } from 'vitest';
import { field, type Schema } from '../../../src/objects/schema.ts';
import {
  canonicalText,
  foldName,
  isSame,
  normalize,
  propertyOf,
  secondsOf,
  uniqueSorted,
  withWireNames,
} from '../../../src/state/normalize.ts';
import type { Json } from '../../../src/wire/json.ts';

const folded = field.object(
  { ServiceName: field.string(), Port: field.string(), Tags: field.list(field.string()) },
  { foldsNames: true },
);
const strict = field.object({ name: field.string(), port: field.integer() });
const csv = field.list(field.string(), { isCommaSeparated: true });

describe('the normal form', () => {
  test.each<[string, Schema, Json | undefined, Json | undefined]>([
    ['nothing', field.string(), undefined, undefined],
    ['null', field.string(), null, undefined],
    ['an empty text', field.string(), '', undefined],
    ['a text', field.string(), ' a ', ' a '],
    ['a number for a text', field.string(), 5432, '5432'],
    ['a boolean for a text', field.string(), true, 'true'],
    ['an object for a text', field.string({ form: 'name' }), { a: 1 }, { a: 1 }],
    ['a name', field.string({ form: 'name' }), 'AbC', 'abc'],
    ['a trimmed text', field.string({ form: 'trimmed' }), ' a b \n', 'a b'],
    ['lines', field.lines(), ' a  \r\nb\t \n\n', ' a\nb'],
    ['lines with white space within', field.lines(), 'a  b\n\nc', 'a  b\n\nc'],
    ['white space only', field.lines(), ' \n\t\n', undefined],
    [
      'a time in another zone',
      field.string({ form: 'time' }),
      '2026-01-01T02:00:00+02:00',
      '2026-01-01T00:00:00.000Z',
    ],
    ['the zero time of Go', field.string({ form: 'time' }), '0001-01-01T00:00:00Z', undefined],
    ['a text that is not a time', field.string({ form: 'time' }), 'soon', 'soon'],
    ['a duration', field.duration('seconds'), '1h', 3600],
    ['seconds', field.duration('seconds'), 90, 90],
    ['nanoseconds', field.duration('nanoseconds'), 1_500_000_000, 1.5],
    ['a zero duration', field.duration('text'), '0s', undefined],
    ['a text that is not a duration', field.duration('text'), 'soon', 'soon'],
    ['an integer', field.integer(), 7, 7],
    ['an integer as a text', field.integer(), '-7', -7],
    ['a zero as a text', field.integer(), '0', undefined],
    ['a text with more digits than an integer has', field.integer(), '1'.repeat(21), '1'.repeat(21)],
    ['a text with a number at its end', field.integer(), 'a7', 'a7'],
    ['a text with a number at its start', field.integer(), '7a', '7a'],
    ['a number', field.number(), 1.5, 1.5],
    ['a zero', field.number(), 0, undefined],
    ['true as a text', field.boolean(), 'true', true],
    ['false as a text', field.boolean(), 'false', undefined],
    ['another text for a boolean', field.boolean(), 'yes', 'yes'],
    ['any value', field.any(), { b: [] }, { b: [] }],
    ['a list', field.list(field.string()), ['b', 'a', 'b'], ['b', 'a', 'b']],
    ['an empty list', field.list(field.string()), [], undefined],
    ['a text for a list', field.list(field.string()), 'a,b', 'a,b'],
    ['a set', field.set(), ['b', 'a', 'b'], ['a', 'b']],
    ['empty items', field.list(field.string()), ['', null], ['', '']],
    ['empty items of other types', field.list(field.list(field.any())), [[], null], [[], []]],
    ['empty objects in a list', field.list(field.object({ a: field.string() })), [{ a: '' }], [{}]],
    ['empty maps in a list', field.list(field.map()), [{}], [{}]],
    ['an empty value of any type', field.list(field.any()), [null], [null]],
    ['a list with commas', csv, 'a, b,,c', ['a', 'b', 'c']],
    ['a list of items', csv, ['a', '', 'b'], ['a', 'b']],
    ['a number for a list with commas', csv, 5, ['5']],
    ['an object for a list with commas', csv, { a: 'b' }, { a: 'b' }],
    ['an empty list with commas', csv, '', undefined],
    ['a map', field.map(), { b: 1, a: '' }, { b: '1', a: '' }],
    ['an empty map', field.map(), {}, undefined],
    ['a text for a map', field.map(), 'a', 'a'],
    ['an object', strict, { name: 'a', port: '0' }, { name: 'a' }],
    ['unknown fields', strict, { other: 0, none: null }, { other: 0 }],
    ['an object without values', strict, { name: '', port: 0 }, undefined],
    ['a text for an object', strict, 'a', 'a'],
    ['folded names', folded, { service_name: 'a' }, { ServiceName: 'a' }],
    ['names that are not folded', strict, { Name: 'a' }, { Name: 'a' }],
    ['the default', field.string({ default: 'http' }), 'http', undefined],
    ['the zero value with a default', field.boolean({ default: true }), false, false],
    ['a default in another spelling', field.duration('text', { default: '1h' }), 3600, undefined],
  ])('of %s', (_what, schema, value, expected) => {
    expect(normalize(schema, value)).toEqual(expected);
  });
});

test('a value as services take it has the names and types of the schema', () => {
  expect(withWireNames(folded, { service_name: 5432, port: 2n ** 60n, TAGS: [1, 'a'], other: 1 })).toEqual({
    ServiceName: '5432',
    Port: '1152921504606846976',
    Tags: ['1', 'a'],
    other: 1,
  });
  expect(withWireNames(field.map(folded), { a_b: { service_name: 'c' } })).toEqual({
    a_b: { ServiceName: 'c' },
  });
  expect(withWireNames(field.any(), { a_b: 1 })).toEqual({ a_b: 1 });
  expect(withWireNames(field.integer(), 1)).toBe(1);
  expect(withWireNames(field.string(), true)).toBe(true);
  expect(withWireNames(field.list(field.string()), 'a')).toBe('a');
});

test('names are folded only where the schema says so', () => {
  expect(propertyOf(folded, 'ServiceName')).toBe('ServiceName');
  expect(propertyOf(folded, 'service_name')).toBe('ServiceName');
  expect(propertyOf(folded, 'other')).toBeUndefined();
  expect(propertyOf(strict, 'Name')).toBeUndefined();
  expect(propertyOf(strict, 'constructor')).toBeUndefined();
  expect(foldName('Service_Name_ID')).toBe('servicenameid');
});

test('canonical texts do not depend on the order of names', () => {
  expect(canonicalText({ b: [1, { d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":null,"d":1}]}');
  expect(isSame({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame(undefined, undefined)).toBe(true);
  expect(isSame(undefined, 'a')).toBe(false);
  expect(isSame('a', undefined)).toBe(false);
});

test('a set has each item once, sorted', () => {
  expect(uniqueSorted(['b', 'a', 'B'], (item) => String(item).toLowerCase())).toEqual(['a', 'B']);
});

test.each([
  ['seconds', 90, 90],
  ['seconds', '1m30s', 90],
  ['nanoseconds', '1m30s', 90],
  ['nanoseconds', 700_000_000, 0.7],
  ['text', '700ms', 0.7],
  ['text', 'soon', undefined],
  ['text', true, undefined],
  ['text', ['1s'], undefined],
] as const)('in %s, %j is %j seconds', (unit, value, seconds) => {
  expect(secondsOf(unit, value as Json)).toBe(seconds);
});

test('large integers are exact', () => {
  expect(normalize(field.string(), 2n ** 60n)).toBe('1152921504606846976');
  expect(normalize(field.integer(), '9007199254740993')).toBe(9007199254740993n);
  expect(secondsOf('seconds', 90n)).toBe(90);
  expect(secondsOf('nanoseconds', 2_000_000_000n)).toBe(2);
});
