import type { Json } from '../wire/json.ts';
import { compare, holdsSecret, statedPointers } from './compare.ts';
import { asObject, type JsonObject, type Kind } from './kind.ts';
import { normalize } from './normalize.ts';
import { fieldAt } from './undo-guard.ts';

/** Fields with secrets that a service never returns. */
export function writeOnlySecrets(schema: Kind['schema'], path = ''): readonly string[] {
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    if (property.isWriteOnly) return property.isSecret ? [`${path}${name}`] : [];
    return property.type === 'object' ? writeOnlySecrets(property, `${path}${name}.`) : [];
  });
}

/** JSON pointers of the fields that differ. */
export function changedFields(kind: Kind, before: JsonObject, after: JsonObject): readonly string[] {
  const options = {
    isExact: true,
    stated: new Set<string>(),
    ignored: new Set<string>(),
    showsSecrets: false,
  };
  const changes = compare(kind.schema, before, after, options);
  return [...new Set(changes.map(({ path }) => fieldAt(kind.schema, before, path).pointer))];
}

/** Whether an object has a field; one that the service assigns counts only with a value. */
export function isSet(kind: Kind, spec: JsonObject, pointer: string): boolean {
  const { schema, value } = fieldAt(kind.schema, spec, pointer);
  if (value === undefined || value === null) return false;
  return !schema.isAssigned || normalize(schema, value) !== undefined;
}

/** Where several fields together are one value, all of them are stated. */
export const allFields = (
  kind: Kind,
  before: JsonObject,
  hidden: readonly string[],
  fields: readonly string[],
) =>
  [
    ...new Set(
      [...fields, ...statedPointers(kind.schema, before)].filter((pointer) => !hidden.includes(pointer)),
    ),
  ].filter(
    (pointer) => fields.includes(pointer) || !holdsSecret(fieldAt(kind.schema, before, pointer).schema),
  );

/** The previous values of fields, and the JSON pointers of those that had none. */
export function fieldsBefore(kind: Kind, before: JsonObject, pointers: readonly string[]) {
  const unset: string[] = [];
  let spec: JsonObject = {};
  for (const pointer of pointers) {
    const { names, value } = fieldAt(kind.schema, before, pointer);
    if (isSet(kind, before, pointer)) spec = withValue(spec, names, value ?? null);
    else {
      unset.push(pointer);
      // Its other fields are unchanged.
      if (names.length > 1) spec = withValue(spec, names.slice(0, -1), undefined);
    }
  }
  return { spec, unset };
}

/** @param value undefined: the object exists */
function withValue(
  spec: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const current = asObject(spec[name]);
  if (rest.length === 0 && value !== undefined) return { ...spec, [name]: value };
  return { ...spec, [name]: rest.length === 0 ? current : withValue(current, rest, value) };
}
