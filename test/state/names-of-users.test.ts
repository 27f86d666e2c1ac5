import { describe, expect, test } from 'vitest';
import type { ObjectSchema, Schema } from '../../src/objects/schema.ts';
import { compare, merge, statedPointers, withoutWriteOnly } from '../../src/state/compare.ts';
import { exportSpec } from '../../src/state/export-spec.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { kinds } from '../../src/state/kinds.ts';
import { formatJson, type Json, parseJson } from '../../src/wire/json.ts';

/** Names that every object of the language has. */
const names = [
  '__proto__',
  ...Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__'),
];

const options = { isExact: true, stated: new Set<string>(), ignored: new Set<string>(), showsSecrets: true };

/** A value of a schema; where names are the user's, it has all of `names`. */
function sampleOf(schema: Schema): Json {
  switch (schema.type) {
    case 'string':
    case 'any':
      return 'text';
    case 'duration':
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'list':
      return [sampleOf(schema.items)];
    case 'map':
      return Object.fromEntries(names.map((name) => [name, sampleOf(schema.values)]));
    case 'object':
      return objectOf(schema);
  }
}

const objectOf = (schema: ObjectSchema): JsonObject =>
  Object.fromEntries([
    ...Object.entries(schema.properties)
      .filter(([, property]) => !property.isWriteOnly && !property.isLocal)
      .map(([name, property]): [string, Json] => [name, sampleOf(property)]),
    ...(schema.isOpen ? names.map((name): [string, Json] => [name, 'text']) : []),
  ]);

const holdsNames = (schema: Schema): boolean => {
  if (schema.type === 'map') return true;
  if (schema.type === 'list') return holdsNames(schema.items);
  return schema.type === 'object' && (schema.isOpen || Object.values(schema.properties).some(holdsNames));
};

const open = kinds.filter(({ schema }) => holdsNames(schema));

test("some kinds have fields whose names are the user's", () => {
  expect(open.map(({ name }) => name)).toContain('scheduler.variable');
  expect(open.length).toBeGreaterThan(5);
});

describe.each(open.map((kind) => [kind.name, kind] as const))('%s', (_name, { schema }) => {
  const live = objectOf(schema);
  const withSecrets = { existing: undefined, secretValue: (_path: readonly string[], value: Json) => value };

  test('exports names such as constructor and __proto__ with their values', () => {
    const { spec } = exportSpec(schema, live, withSecrets);
    expect(compare(schema, spec, live, options)).toEqual([]);
    expect(parseJson(formatJson(spec))).toEqual(spec);
  });

  test('finds such a name that is only on one side', () => {
    const empty = exportSpec(schema, {}, withSecrets).spec;
    const added = compare(schema, live, empty, options);
    const removed = compare(schema, empty, live, options);
    expect(added.length).toBeGreaterThan(0);
    expect(removed.length).toBeGreaterThan(0);
    expect([...added.map(({ action }) => action), ...removed.map(({ action }) => action)]).not.toContain(
      'update',
    );
  });

  test('merges and keeps such names', () => {
    for (const merged of [
      merge(schema, {}, live),
      merge(schema, live, {}),
      merge(schema, live, live, true),
    ]) {
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
      expect(compare(schema, merged, live, options)).toEqual([]);
    }
    expect(compare(schema, withoutWriteOnly(schema, live), live, options)).toEqual([]);
    expect(statedPointers(schema, live).every((pointer) => pointer.startsWith('/spec/'))).toBe(true);
  });
});
