import { describe, expect, test } from 'vitest';
import { FieldError } from '../../../../src/services/core/http/decode-body.ts';
import { goRules, goRulesFor } from '../../../../src/services/core/schema/go-rules.ts';
import { jsonSchemaOf } from '../../../../src/services/core/schema/json-schema.ts';
import { type ReadingRules, read, textConversions } from '../../../../src/services/core/schema/read.ts';
import * as s from '../../../../src/services/core/schema/types.ts';
import { writerOf } from '../../../../src/services/core/schema/write.ts';
import type { Json } from '../../../../src/wire/json.ts';

const job = s.named(
  'Job',
  s.object({
    Name: s.required(s.string('Its name.', { minLength: 1 })),
    Count: s.integer(undefined, { default: 1 }),
    Tags: s.nullable(s.list(s.string())),
    Meta: s.optional(s.map(s.string())),
    Group: s.object({ Size: s.integer(), IsLast: s.omitEmpty(s.boolean()) }),
    Secret: s.requestOnly(s.string()),
    Index: s.responseOnly(s.integer()),
  }),
);

describe('an object of a request', () => {
  test('has the values that were sent, and defaults for the others', () => {
    expect(read(job, { name: 'a', tags: ['x'], GROUP: { size: 2 }, Index: 7 }, goRules)).toEqual({
      Name: 'a',
      Count: 1,
      Tags: ['x'],
      Group: { Size: 2, IsLast: false },
      Secret: '',
    });
    expect(read(job, { Name: null, Tags: null, Meta: null }, goRules)).toEqual({
      Name: '',
      Count: 1,
      Tags: null,
      Group: { Size: 0, IsLast: false },
      Secret: '',
    });
  });

  test.each<[Json, string]>([
    [[], 'the body must be an object'],
    [{ Name: 1 }, 'Name of the body must be a string'],
    [{ Count: 1.5 }, 'Count of the body must be an integer'],
    [{ Tags: ['a', 1] }, 'Tags of the body must be an array of strings'],
    [{ Meta: { a: 1 } }, 'Meta of the body must be a map of strings'],
    [{ Group: 'x' }, 'Group must be an object'],
    [{ Group: { Size: '2' } }, 'Size of Group must be an integer'],
  ])('%j is rejected: %s', (value, message) => {
    expect(() => read(job, value, goRules)).toThrow(new FieldError(message));
  });

  test('has no empty values where these count as missing', () => {
    const type = s.object({ Name: s.nonEmpty(s.string()), Tags: s.nonEmpty(s.list(s.string())) });
    expect(read(type, { Name: '', Tags: [] }, goRules)).toEqual({});
    expect(read(type, { Name: 'a', Tags: [''] }, goRules)).toEqual({ Name: 'a', Tags: [''] });
  });

  test('is read by its own functions, which may give the complete reason', () => {
    const only = (error: Error) => (value: Json) => {
      if (value !== 'a') throw error;
      return value;
    };
    const type = (error: Error) => s.object({ Name: s.converted(s.string(), only(error)) });
    const readB = (error: Error) => read(type(error), { Name: 'b' }, goRulesFor('Config'));
    expect(read(type(new Error()), { Name: 'a' }, goRules)).toEqual({ Name: 'a' });
    expect(() => readB(new Error('an a'))).toThrow(new FieldError('Name of Config must be an a'));
    expect(() => readB(new FieldError('no a'))).toThrow(new FieldError('no a'));
  });

  test('reports missing and unknown fields if the service asks for them', () => {
    const reported: unknown[] = [];
    const rules: ReadingRules = {
      convert: { ...textConversions, list: () => undefined },
      invalid: (path, expected) => void reported.push([path, expected]),
      unknown: (path, names) => void reported.push([path, names]),
      missing: (path) => void reported.push(path),
    };
    read(job, { Group: { Size: 'x' }, Other: 1 }, rules);
    expect(reported).toEqual([[[], ['Other']], ['Name'], [['Group', 'Size'], 'an integer']]);
  });
});

describe('rules of a service', () => {
  const update = s.object({
    Id: s.responseOnly(s.string(), 'read only'),
    Version: s.required(s.integer(), 'version missing'),
    ...s.partial({ Name: s.nullable(s.string()), Size: s.required(s.integer()) }),
    Path: s.optional(
      s.converted(s.string(), (value) => {
        if (value === '') throw new Error('empty');
        return typeof value === 'string' ? value : undefined;
      }),
    ),
  });
  const reported: unknown[] = [];
  const rules: ReadingRules = {
    ...goRules,
    invalid: (path, expected) => void reported.push([...path, expected]),
    rejected: (path, message) => void reported.push([...path, message]),
    missing: (path, { problem }) => void reported.push([...path, problem]),
    readOnly: (path, { problem }) => void reported.push([...path, problem]),
  };

  test.each<[Json, unknown, unknown]>([
    [{ Version: 1 }, { Version: 1 }, []],
    [{ Version: 1, Name: null, Size: null, Path: null }, { Version: 1, Name: null }, []],
    [
      { Id: 'x' },
      { Version: 0 },
      [
        ['Id', 'read only'],
        ['Version', 'version missing'],
      ],
    ],
    [{ Version: 1, Path: '' }, { Version: 1 }, [['Path', 'empty']]],
    [{ Version: 1, Path: 1 }, { Version: 1 }, [['Path', 'a string']]],
  ])('%j is read as %j, with the problems %j', (value, expected, problems) => {
    reported.length = 0;
    expect(read(update, value, rules)).toEqual(expected);
    expect(reported).toEqual(problems);
  });
});

test('a value of one of several types is read as the first that it has, with all of its fields', () => {
  const either = s.object({ Limit: s.optional(s.either(s.object({ Size: s.integer() }), s.string())) });
  expect(read(either, { limit: { size: 2 } }, goRules)).toEqual({ Limit: { Size: 2 } });
  expect(read(either, { Limit: 'all' }, goRules)).toEqual({ Limit: 'all' });
  for (const Limit of [{ Size: 'x' }, 3])
    expect(() => read(either, { Limit }, goRules), JSON.stringify(Limit)).toThrow(
      'Limit of the body must be a value of another type',
    );
});

test('names from clients are names like any other in a response', () => {
  const named = JSON.parse('{"__proto__":{"a":1},"constructor":{"a":2}}');
  const kept = '{"__proto__":{"a":1},"constructor":{"a":2}}';
  expect(JSON.stringify(writerOf(s.open(s.object({})))(named))).toBe(kept);
  expect(JSON.stringify(writerOf(s.map(s.object({ a: s.integer() })))(named))).toBe(kept);
});

describe('an object of a response', () => {
  const row = { Other: 1, Index: 3, Name: 'a', Count: 1, Tags: null, Group: { Size: 1, IsLast: false } };

  test('has the declared fields only, in their order', () => {
    expect(JSON.stringify(writerOf(job)({ ...row, Secret: 'x' }))).toBe(
      '{"Name":"a","Count":1,"Tags":null,"Group":{"Size":1},"Index":3}',
    );
  });

  test.each([
    ['without a required field', { ...row, Name: undefined }],
    ['with a value of another type', { ...row, Count: '1' }],
    ['with null for an object', { ...row, Group: null }],
  ])('%s is a fault of the service', (_, value) => {
    expect(() => writerOf(job)(value)).toThrow('a response does not match its type');
  });
});

test('the JSON Schema of an object has the fields of its direction', () => {
  const components = new Map<string, s.JsonSchema>();
  const options = { components, acceptsNull: false };
  expect(jsonSchemaOf(job, 'request', options)).toEqual({ $ref: '#/components/schemas/JobInput' });
  expect(jsonSchemaOf(job, 'response', options)).toEqual({ $ref: '#/components/schemas/Job' });
  expect(components.get('JobInput')).toMatchObject({
    required: ['Name'],
    properties: {
      Name: { type: 'string', description: 'Its name.', minLength: 1 },
      Count: { default: 1 },
      Secret: {},
    },
  });
  expect(components.get('Job')).toMatchObject({
    required: ['Name', 'Count', 'Tags', 'Group', 'Index'],
    properties: { Tags: { type: ['array', 'null'], items: { type: 'string' } } },
  });
  expect(components.get('JobInput')?.properties).not.toHaveProperty('Index');
  expect(components.get('Job')?.properties).not.toHaveProperty('Secret');
});

test.each([
  [undefined, ['string', 'null']],
  [true, 'string'],
])('the JSON Schema of a request has null in lists unless it is an error: %j', (rejectsNullItems, type) => {
  const options = { components: new Map<string, s.JsonSchema>(), acceptsNull: true, rejectsNullItems };
  const list = s.required(s.list(s.string()));
  expect(jsonSchemaOf(list, 'request', options)).toEqual({ type: 'array', items: { type } });
  expect(jsonSchemaOf(list, 'response', options)).toEqual({ type: 'array', items: { type: 'string' } });
});

test('the JSON Schema of a request has what a function reads', () => {
  const type = s.converted(s.integer('Its age.'), Number, {
    anyOf: [{ type: 'string' }, { type: 'integer' }],
  });
  const options = { components: new Map<string, s.JsonSchema>(), acceptsNull: false };
  expect(jsonSchemaOf(type, 'request', options)).toEqual({
    description: 'Its age.',
    anyOf: [{ type: 'string' }, { type: 'integer' }],
  });
  expect(jsonSchemaOf(type, 'response', options)).toEqual({ type: 'integer', description: 'Its age.' });
});
