import type { Schema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import type { Positioned } from './document-text.ts';
import { asObject, type Identity, identityText, type JsonObject, type Kind, objectLabel } from './kind.ts';
import { propertyOf } from './normalize.ts';
import { formatPosition, type Position, type Problem } from './problems.ts';
import { type Path, referenceIn } from './references.ts';

/** The document of one object, of a set or of one of its bases. */
export type Layer = Positioned<JsonObject>;

/** An object that a layer states, unchecked. */
export interface StatedObject {
  readonly kind: Kind;
  readonly layer: Layer;
}

/** An object of all layers together. */
export interface MergedObject extends StatedObject {
  /** More than one layer states it. */
  readonly isMerged: boolean;
}

/** The objects of all layers, merged by their identity. An object that one layer states twice is a problem. */
export function mergeObjects(
  layers: readonly (readonly StatedObject[])[],
  identify: (object: StatedObject) => Identity,
  problems: Problem[],
): Iterable<MergedObject> {
  const merged = new Map<string, MergedObject>();
  for (const objects of layers) {
    const seen = new Map<string, Position>();
    for (const object of objects) {
      const { kind, layer } = object;
      const identity = identify(object);
      const id = `${kind.name} ${identityText(identity)}`;
      const first = seen.get(id);
      const below = merged.get(id);
      const position = layer.positionOf(['kind']);
      if (first) {
        const message = `${objectLabel({ kind, identity })} is also at ${formatPosition(first)}`;
        problems.push({ position, message });
        continue;
      }
      seen.set(id, position);
      merged.set(id, {
        kind,
        layer: below ? mergeLayers(kind, below.layer, layer) : layer,
        isMerged: below !== undefined,
      });
    }
  }
  return merged.values();
}

/** Where a part of a merged document is stated. */
interface Origin {
  readonly layer: Layer;
  readonly path: Path;
}

/**
 * Merges a document over the one of a base: objects field by field, other values replaced; null removes a field.
 * Positions are those in the file that states a field.
 */
function mergeLayers(kind: Kind, base: Layer, over: Layer): Layer {
  const origins = new Map<string, Origin>();
  const place = (path: Path, layer: Layer, its: Path): void => {
    origins.set(JSON.stringify(path), { layer, path: its });
  };
  const merge = (schema: Schema | undefined, lower: Side, upper: Side, path: Path): JsonObject => {
    place(path, over, upper.path);
    const nameOf = (name: string): string =>
      (schema?.type === 'object' ? propertyOf(schema, name) : undefined) ?? name;
    const stated = new Map(Object.keys(upper.value).map((name) => [nameOf(name), name]));
    const members: [string, Json][] = [];
    const lowerNames = new Map<string, string>();
    for (const [name, value] of Object.entries(lower.value)) {
      lowerNames.set(nameOf(name), name);
      if (stated.has(nameOf(name))) continue;
      place([...path, name], base, [...lower.path, name]);
      members.push([name, value]);
    }
    for (const [name, value] of Object.entries(upper.value)) {
      const lowerName = lowerNames.get(nameOf(name));
      const below = lowerName === undefined ? undefined : lower.value[lowerName];
      if (value === null) continue;
      if (isMergeable(value) && below !== undefined && isMergeable(below) && lowerName !== undefined) {
        const sides = [side(below, lower.path, lowerName), side(value, upper.path, name)] as const;
        members.push([name, merge(memberSchema(schema, nameOf(name)), ...sides, [...path, name])]);
      } else {
        place([...path, name], over, [...upper.path, name]);
        members.push([name, value]);
      }
    }
    return Object.fromEntries(members);
  };
  const rootSchema = { type: 'object', properties: { spec: kind.schema } } as const;
  const value = merge(rootSchema, { value: base.value, path: [] }, { value: over.value, path: [] }, []);
  return { value, positionOf: (path) => positionIn(origins, over, path) };
}

interface Side {
  readonly value: JsonObject;
  readonly path: Path;
}

const side = (value: Json, path: Path, name: string): Side => ({
  value: asObject(value),
  path: [...path, name],
});

/** A reference is one value. */
const isMergeable = (value: Json): boolean => isObject(value) && referenceIn(value) === undefined;

function memberSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.type === 'map') return schema.values;
  return schema?.type === 'object' ? memberOf(schema.properties, name) : undefined;
}

function positionIn(origins: ReadonlyMap<string, Origin>, over: Layer, path: Path): Position {
  for (let length = path.length; length > 0; length -= 1) {
    const origin = origins.get(JSON.stringify(path.slice(0, length)));
    if (origin) return origin.layer.positionOf([...origin.path, ...path.slice(length)]);
  }
  return over.positionOf(path);
}
