import type { Json } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import { asObject, type JsonObject } from './kind.ts';
import type { Position, Problem } from './problems.ts';
import { type Path, parseReference, pointerNames, referenceIn } from './references.ts';

/** `spec.values` of a set: plain values, which documents use as `values://NAME`. */
export interface SetValues {
  readonly values: JsonObject;
  readonly positionOf: (name: string) => Position;
}

/** Called with the path of each reference to a value; `problem`: the set has no such value. */
export type OnInserted = (path: Path, problem: string | undefined) => void;

/** Puts the values of a set into documents, and knows which were used. */
export interface ValueInserter {
  /**
   * A field of a document with the values of the set in the place of their references. A reference to a value that does
   * not exist is unchanged, and so is one that is the complete field.
   */
  insertField(document: JsonObject, name: 'metadata' | 'spec', onInserted?: OnInserted): JsonObject;
  /** Values that no document uses. */
  unused(): readonly Problem[];
}

/** @param source undefined: no set was given, so that no reference is resolved. */
export function valueInserter(source: SetValues | undefined): ValueInserter {
  const used = new Set<string>();
  const insert = (value: Json, path: Path, onInserted: OnInserted | undefined): Json => {
    if (typeof value !== 'object' || value === null) return value;
    const reference = parseReference(referenceIn(value) ?? '');
    if (source && reference?.from === 'values') {
      used.add(reference.name);
      const found = valueAt(source.values, reference);
      const name = `${reference.name}${reference.pointer ? `#${reference.pointer}` : ''}`;
      onInserted?.(path, found === undefined ? `the set has no value "${name}" in spec.values` : undefined);
      return found ?? value;
    }
    if (Array.isArray(value)) return value.map((item, index) => insert(item, [...path, index], onInserted));
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, member]) => [
        name,
        insert(member, [...path, name], onInserted),
      ]),
    );
  };
  return {
    insertField: (document, name, onInserted) =>
      Object.fromEntries(
        Object.entries(asObject(document[name])).map(([field, member]) => [
          field,
          insert(member, [name, field], onInserted),
        ]),
      ),
    unused: () =>
      Object.keys(source?.values ?? {}).flatMap((name) =>
        source && !used.has(name)
          ? [{ position: source.positionOf(name), message: `the value "${name}" of the set is not used` }]
          : [],
      ),
  };
}

/** Undefined: missing or null. */
function valueAt(
  values: JsonObject,
  { name, pointer }: { readonly name: string; readonly pointer?: string },
): Json | undefined {
  let value: Json | undefined = memberOf(values, name);
  for (const step of pointerNames(pointer ?? ''))
    value = Array.isArray(value) ? value[Number(step)] : isObject(value) ? memberOf(value, step) : undefined;
  return value ?? undefined;
}
