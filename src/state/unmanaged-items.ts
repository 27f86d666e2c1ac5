import type { ObjectSchema } from '../objects/schema.ts';
import { memberOf } from '../wire/objects.ts';
import { fieldName, pointerOf, pointerSteps } from './compare.ts';
import { asObject, type JsonObject, type Kind } from './kind.ts';
import { normalize, propertyOf } from './normalize.ts';
import type { Operation } from './operations.ts';
import type { Member } from './record.ts';

/** What an object of the files has that its file does not state. */
export interface OtherItems {
  /**
   * `other-entries`: entries of its maps. `unmanaged-values`: its file has `values: unmanaged`, and no apply saw it.
   * `changed-values`: the same, and it has another version than the last apply saw.
   */
  readonly reason: 'other-entries' | 'unmanaged-values' | 'changed-values';
  /** Names, sorted: `data.password`. Never values. */
  readonly items: readonly string[];
}

/** @param member of the record of the set, if the object is one */
export function otherItems(operation: Operation, member: Member | undefined): OtherItems | undefined {
  const { document, live, action } = operation;
  if (!document || !live || !isCompared.has(action)) return undefined;
  const { values, mergeKeys, fields } = document.metadata;
  if (values === 'unmanaged') {
    const seen = member?.version;
    if (seen !== undefined && seen === live.version) return undefined;
    const items = entriesOf(operation, live.spec, true);
    if (seen !== undefined && live.version !== '') return { reason: 'changed-values', items };
    return items.length === 0 ? undefined : { reason: 'unmanaged-values', items };
  }
  // The plan shows every field that is not stated.
  if (fields === 'exact') return undefined;
  const items = entriesOf(operation, live.spec, mergeKeys === true);
  return items.length === 0 ? undefined : { reason: 'other-entries', items };
}

const isCompared: ReadonlySet<string> = new Set(['none', 'adopt', 'update']);

/** The names of the entries that a file does not state and that the plan does not show. */
function entriesOf(operation: Operation, live: JsonObject, mergesKeys: boolean): readonly string[] {
  const { kind, document, desired = {}, changes } = operation;
  const ignored = document?.metadata.ignore;
  const skipped = new Set([
    ...(Array.isArray(ignored) ? ignored : []).map((each) =>
      pointerOf(kind.schema, pointerSteps(String(each))),
    ),
    ...changes.map(({ path }) => path),
  ]);
  return otherEntries(kind.schema, desired, live, [], mergesKeys)
    .filter((steps) => {
      const pointer = pointerOf(kind.schema, steps);
      return ![...skipped].some((each) => pointer === each || pointer.startsWith(`${each}/`));
    })
    .map((steps) => fieldName(pointerOf(kind.schema, steps)))
    .sort();
}

type Steps = readonly string[];

/** A map that a file states is compared completely, unless others may add to it. */
function otherEntries(
  schema: ObjectSchema,
  desired: JsonObject,
  live: JsonObject,
  path: Steps,
  mergesKeys: boolean,
): readonly Steps[] {
  const stated = byProperty(schema, desired);
  return [...byProperty(schema, live)].flatMap(([name, found]): readonly Steps[] => {
    const property = memberOf(schema.properties, name);
    const steps = [...path, name];
    const wanted = stated.get(name);
    if (property?.type === 'object')
      return otherEntries(property, asObject(wanted), asObject(found), steps, mergesKeys);
    if (property?.type !== 'map' || property.isAssigned) return [];
    if (stated.has(name) && !mergesKeys) return [];
    const known = asObject(wanted);
    return Object.keys(asObject(normalize(property, found)))
      .filter((entry) => !Object.hasOwn(known, entry))
      .map((entry) => [...steps, entry]);
  });
}

const byProperty = (schema: Kind['schema'], value: JsonObject) =>
  new Map(Object.entries(value).map(([name, member]) => [propertyOf(schema, name) ?? name, member]));
