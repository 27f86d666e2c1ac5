import { expect, test } from 'vitest';
import {
  emptied,
  flagsOf,
  givenFields,
  unsetFields,
  unsetFlagFor,
} from '../../../src/command/object-flags.ts';
import { fieldProblems } from '../../../src/objects/field-problems.ts';
import { type FieldsOf, field } from '../../../src/objects/schema.ts';
import { sshRole } from '../../../src/objects/ssh-role.ts';
import { compare } from '../../../src/state/compare.ts';
import { stateSchema } from '../../../src/state/json-schema.ts';
import { secretsSshRole } from '../../../src/state/kinds/secrets-ssh-role.ts';

// A declaration with one more field: nothing else names it.
const role = field.object(
  { ...sshRole.properties, max_uses: field.integer({ description: 'Uses of a certificate.' }) },
  { required: ['key_type'] },
);
const fields = { key_type: 'ca', max_uses: 3 } satisfies FieldsOf<typeof role>;

test('a new field has a flag with its description', () => {
  expect(flagsOf(role).maxUses).toMatchObject({ value: 'N', help: 'uses of a certificate' });
});

test('the flag of a new field gives the field of the wire, and --unset resets it', () => {
  expect(givenFields(role, { maxUses: 3 })).toEqual({ max_uses: 3 });
  expect(unsetFlagFor(role).completes).toContain('max-uses');
  expect(emptied(unsetFields(role, { unset: ['max-uses'] }))).toEqual({ max_uses: 0 });
  expect(() => unsetFields(role, { maxUses: 3, unset: ['max-uses'] })).toThrow(
    '--max-uses cannot be combined with --unset max-uses',
  );
});

test('files may have a new field', () => {
  expect([...fieldProblems(role, fields)]).toEqual([]);
  expect([...fieldProblems(role, { max_use: 3 })]).toEqual([
    { path: ['max_use'], what: 'unknown field; did you mean "max_uses"?' },
  ]);
});

test('a state file compares a new field, and its JSON Schema describes it', () => {
  const options = {
    isExact: false,
    stated: new Set<string>(),
    ignored: new Set<string>(),
    showsSecrets: false,
  };
  expect(compare(role, { max_uses: 3 }, { max_uses: 2 }, options)).toMatchObject([
    { path: '/spec/max_uses', before: 2, after: 3 },
  ]);
  expect(JSON.stringify(stateSchema([{ ...secretsSshRole, schema: role }]))).toContain(
    '"max_uses":{"description":"Uses of a certificate."',
  );
});
