import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { identityOf, readDocuments } from '../../src/state/documents.ts';
import { kindSchema, stateSchema } from '../../src/state/json-schema.ts';
import type { JsonObject } from '../../src/state/kind.ts';
import { findKind, kinds } from '../../src/state/kinds.ts';
import { formatJson, type Json } from '../../src/wire/json.ts';
import { kindOf } from './bench.ts';
import { type ObjectCase, objectCases } from './objects.ts';

const ajv = new Ajv2020({ strict: false, allErrors: false });
const matches = ajv.compile(stateSchema(kinds) as JsonObject);

const ownSchemas = new Map<string, ValidateFunction>();
function ownSchema(kind: string): ValidateFunction {
  const found = ownSchemas.get(kind) ?? ajv.compile(kindSchema(kindOf(kind)) as JsonObject);
  ownSchemas.set(kind, found);
  return found;
}

/** The document of a case; values of secrets are in it. */
function documentOf({ kind: name, identity }: ObjectCase, spec: JsonObject): JsonObject {
  const kind = kindOf(name);
  const metadata: JsonObject = { allowLiteral: true, ...identity.scope };
  if (kind.nameIs !== undefined && !kind.keyOf) metadata.name = identity.key;
  return { apiVersion: 'lanyard/v1', kind: name, metadata, spec };
}

/** What only the command checks: `Kind.check`, and a number in the place of a text of a given form. */
function isOnlyInCommand(document: Json, problem: string): boolean {
  const { kind: name, metadata, spec } = document as JsonObject;
  const kind = findKind(String(name));
  if (!kind) return false;
  const identity = identityOf(kind, (metadata ?? {}) as JsonObject, (spec ?? {}) as JsonObject);
  const checked = kind.check?.(identity, (spec ?? {}) as JsonObject) ?? [];
  return checked.includes(problem);
}

const problemsOf = async (document: Json): Promise<readonly string[]> =>
  (
    await readDocuments([{ name: 'x.json', text: formatJson(document) }], { allowsUnknownFields: false })
  ).problems.map(({ message }) => message);

/** Both sides say the same about a document, which is shown if not. */
async function expectAgreement(document: Json, schema: ValidateFunction = matches): Promise<boolean> {
  const all = await problemsOf(document);
  const problems = all.filter((problem) => !isOnlyInCommand(document, problem));
  // The library knows no bigint.
  const isValid = schema(JSON.parse(formatJson(document)));
  const found = {
    errors: isValid ? [] : (schema.errors ?? []).map(({ message }) => message ?? ''),
    problems,
    document,
  };
  expect(isValid, formatJson(found)).toBe(problems.length === 0);
  return isValid;
}

/** Paths of all values in a document, outermost first. */
const pathsOf = (value: Json, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...(value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, member]) => pathsOf(member as Json, [...path, name]))
    : []),
];

/** The document with another value at a path; undefined removes it. */
function withValue(document: Json, path: readonly string[], value: Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined || document === null || typeof document !== 'object') return value ?? null;
  if (Array.isArray(document))
    return document.flatMap((item, index) => {
      if (String(index) !== name) return [item];
      return rest.length === 0 && value === undefined ? [] : [withValue(item, rest, value)];
    });
  const copy: JsonObject = { ...(document as JsonObject) };
  if (rest.length === 0 && value === undefined) delete copy[name];
  else copy[name] = withValue(copy[name] ?? null, rest, value);
  return copy;
}

const otherValues: readonly (Json | undefined)[] = [
  ...[undefined, null, true, 'x', '', '5', '30s', 5, 1.5, -1, [], [1], ['x'], [{}], {}, { x: 1 }],
  ...[{ valueFrom: 'env://X' }, { valueFrom: 'file://a#/b' }, { valueFrom: 'secrets://kv/a#b' }],
  ...[
    { valueFrom: 'env://X Y' },
    { valueFrom: 'exec://x' },
    { valueFrom: 5 },
    { valueFrom: 'env://X', y: 1 },
  ],
];

describe.each(objectCases)('$kind $identity.key', (object) => {
  const all = [object.spec, ...(object.changed ? [object.changed] : []), ...(object.spellings ?? [])];

  test('the schema accepts every spelling', async () => {
    const own = ownSchema(object.kind);
    for (const spec of all) {
      const document = documentOf(object, spec);
      if (spec === object.spec || spec === object.changed) expect(await problemsOf(document)).toEqual([]);
      await expectAgreement(document);
      await expectAgreement(document, own);
    }
  });

  test('the schema rejects what the command rejects', async () => {
    const document = documentOf(object, object.spec);
    let rejected = 0;
    for (const path of pathsOf(document).slice(1))
      for (const value of otherValues)
        if (!(await expectAgreement(withValue(document, path, value)))) rejected += 1;
    expect(rejected).toBeGreaterThan(10);
    for (const name of ['unknown', 'Unknown_Field'])
      for (const place of [[name], ['metadata', name], ['spec', name]])
        await expectAgreement(withValue(document, place, 'x'));
    for (const metadata of ['allowLiteral', 'sensitive', 'ensure', 'values', 'deletion', 'rotate'])
      for (const value of [true, false, 'absent', 'present', 'unmanaged', 'allow', 3, 0])
        for (const spec of [undefined, {}, object.spec])
          await expectAgreement(
            withValue(withValue(document, ['metadata', metadata], value), ['spec'], spec),
          );
  });
});

test('the document of kind Set', async () => {
  const set: JsonObject = {
    apiVersion: 'lanyard/v1',
    kind: 'Set',
    metadata: { name: 'web', id: 'k7f3q9x2wm' },
    spec: {
      targets: { registry: { datacenter: 'dc1' }, secrets: { clusterId: 'x' } },
      record: 'registry:lanyard/sets/k7f3q9x2wm',
      prune: { max: 3, kinds: ['registry.policy'] },
    },
  };
  expect(await expectAgreement(set)).toBe(true);
  const own = ajv.compile(kindSchema(undefined) as JsonObject);
  expect(own(set)).toBe(true);
  const values = otherValues.filter((value) => !Array.isArray(value));
  for (const path of [
    ['apiVersion'],
    ['metadata'],
    ...pathsOf(set).filter(([first, , third]) => first === 'metadata' || third === 'max'),
  ])
    for (const value of values) await expectAgreement(withValue(set, path, value));
  for (const kind of ['set', 'registry.polcy', '', null])
    expect(await expectAgreement(withValue(set, ['kind'], kind))).toBe(false);
  expect(await expectAgreement(withValue(set, ['specs'], {}))).toBe(false);
});
