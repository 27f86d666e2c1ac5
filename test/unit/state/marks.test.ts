import { describe, expect, test } from 'vitest';
import { splitMark, withMark } from '../../../src/state/marks.ts';

const inText = { mark: { type: 'text', field: 'Description' } } as const;
const inMap = { mark: { type: 'map', field: 'Meta' } } as const;
const id = 'abcdefgh01';
const mark = { id, rotation: 0 };

describe('a mark in a text', () => {
  test.each([
    ['at the end of the text', 'Reads keys', `Reads keys [lanyard:${id}]`],
    ['alone, if there is no text', '', `[lanyard:${id}]`],
  ])('%s', (_where, text, marked) => {
    expect(withMark(inText, { Description: text, Name: 'a' }, mark)).toEqual({
      Description: marked,
      Name: 'a',
    });
    expect(splitMark(inText, { Description: marked, Name: 'a' })).toEqual({
      spec: { Description: text, Name: 'a' },
      mark,
    });
  });

  test('a missing field gets the mark alone', () => {
    expect(withMark(inText, { Name: 'a' }, mark)).toEqual({ Name: 'a', Description: `[lanyard:${id}]` });
    expect(withMark(inText, { Description: 5 }, mark)).toEqual({ Description: `[lanyard:${id}]` });
  });

  test('has a rotation above zero', () => {
    const rotated = { id, rotation: 12 };
    const marked = withMark(inText, { Description: 'a' }, rotated);
    expect(marked).toEqual({ Description: `a [lanyard:${id} r12]` });
    expect(splitMark(inText, marked)).toEqual({ spec: { Description: 'a' }, mark: rotated });
  });

  test.each([
    'Reads keys',
    `[lanyard:${id}] is not at the end`,
    '[lanyard:short]',
    '[lanyard:ABCDEFGH01]',
    `[lanyard:${id} r]`,
    `[lanyard:${id} rx]`,
    `[lanyard:${id}x]`,
  ])('is not "%s"', (Description) => {
    expect(splitMark(inText, { Description })).toEqual({ spec: { Description }, mark: undefined });
  });

  test('a field that is no text has none', () => {
    for (const spec of [{}, { Description: null }, { Description: { 'lanyard-set': id } }])
      expect(splitMark(inText, spec)).toEqual({ spec, mark: undefined });
  });

  test('removes one space, and only before the mark', () => {
    expect(splitMark(inText, { Description: `a  [lanyard:${id}]` }).spec).toEqual({ Description: 'a ' });
  });
});

describe('a mark in a map', () => {
  test('is an entry besides the others', () => {
    const marked = withMark(inMap, { Meta: { team: 'web' }, Name: 'a' }, mark);
    expect(marked).toEqual({ Meta: { team: 'web', 'lanyard-set': id }, Name: 'a' });
    expect(splitMark(inMap, marked)).toEqual({ spec: { Meta: { team: 'web' }, Name: 'a' }, mark });
  });

  test('has a rotation above zero, and replaces an earlier mark', () => {
    const marked = withMark(inMap, { Meta: { 'lanyard-set': 'other00000' } }, { id, rotation: 3 });
    expect(marked).toEqual({ Meta: { 'lanyard-set': `${id} r3` } });
    expect(splitMark(inMap, marked).mark).toEqual({ id, rotation: 3 });
    expect(splitMark(inMap, { Meta: { 'lanyard-set': `${id} r34` } }).mark).toEqual({ id, rotation: 34 });
  });

  test('a missing map is created', () => {
    expect(withMark(inMap, {}, mark)).toEqual({ Meta: { 'lanyard-set': id } });
  });

  test.each([undefined, '', 'short', `x${id}`, `${id}x`, `${id} r`, `${id} rx`, `${id} r1x`])(
    'is not %j',
    (value) => {
      const spec = { Meta: value === undefined ? { team: 'web' } : { 'lanyard-set': value } };
      expect(splitMark(inMap, spec)).toEqual({ spec, mark: undefined });
    },
  );

  test('a field that is no map has none', () => {
    for (const spec of [{}, { Meta: null }, { Meta: `[lanyard:${id}]` }])
      expect(splitMark(inMap, spec)).toEqual({ spec, mark: undefined });
  });
});

test('a kind without a place for a mark has none', () => {
  const spec = { Description: `[lanyard:${id}]`, Meta: { 'lanyard-set': id } };
  expect(withMark({}, spec, mark)).toBe(spec);
  expect(splitMark({}, spec)).toEqual({ spec, mark: undefined });
});
