import { formatJson } from '../wire/json.ts';
import { isObject, sortedByName } from '../wire/objects.ts';
import { type Block, code, type Document, dim, reportTable, text } from './document.ts';

/** A field that differs between two objects; `undefined`: it does not exist. */
export interface Change {
  /** The path of names; lists have no path, they change as one value. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

export interface ThreeWayChange {
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Who changed it; `conflict`: both, to different values. */
  readonly by: 'mine' | 'theirs' | 'both' | 'conflict';
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether two JSON values are equal, ignoring the order of fields. */
export function isEqual(one: unknown, other: unknown): boolean {
  return diff(one, other).length === 0;
}

/** The smallest differing fields of two JSON values; fields of the first value precede new fields. */
export function diff(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isObject(before) && isObject(after))
    return allNames(before, after).flatMap((name) =>
      diff(ownValue(before, name), ownValue(after, name), [...path, name]),
    );
  const isSame =
    Array.isArray(before) && Array.isArray(after)
      ? before.length === after.length && before.every((element, index) => isEqual(element, after[index]))
      : before === after;
  return isSame ? [] : [{ path, before, after }];
}

/**
 * The changes of two versions of the same object: every field that changed in one of them, and by whom. An object is
 * one field if it is another type of value in one of the three.
 */
export function diffThreeWay(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: readonly string[] = [],
): ThreeWayChange[] {
  if (isObject(base) && isObject(mine) && isObject(theirs))
    return allNames(base, mine, theirs).flatMap((name) =>
      diffThreeWay(ownValue(base, name), ownValue(mine, name), ownValue(theirs, name), [...path, name]),
    );
  const by = changedBy(base, mine, theirs);
  return by === undefined ? [] : [{ path, base, mine, theirs, by }];
}

/**
 * Merges two versions of the same object: fields that changed in one of them only. A conflicting field has the value
 * of `mine`; `diffThreeWay` lists those.
 */
export function mergeThreeWay(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isObject(base) && isObject(mine) && isObject(theirs))
    return Object.fromEntries(
      allNames(theirs, mine)
        .map(
          (name) =>
            [
              name,
              mergeThreeWay(ownValue(base, name), ownValue(mine, name), ownValue(theirs, name)),
            ] as const,
        )
        .filter(([, value]) => value !== undefined),
    );
  return isEqual(base, mine) ? theirs : mine;
}

function changedBy(base: unknown, mine: unknown, theirs: unknown): ThreeWayChange['by'] | undefined {
  const [isMine, isTheirs] = [!isEqual(base, mine), !isEqual(base, theirs)];
  if (isMine && isTheirs) return isEqual(mine, theirs) ? 'both' : 'conflict';
  return isMine ? 'mine' : isTheirs ? 'theirs' : undefined;
}

/** A field in one line: `Service.Tags: ["a"] → ["b"]`. */
export const formatChange = ({ path, before, after }: Change): string =>
  `${formatPath(path)}: ${formatValue(before)} → ${formatValue(after)}`;

/** The changed fields with their old and new values. */
export const changesTable = (changes: readonly Change[]): Block =>
  reportTable(
    ['FIELD', { title: 'BEFORE', shrinkPriority: 1 }, { title: 'AFTER', mayOverflow: true }],
    changes.map(({ path, before, after }) => [
      formatPath(path),
      [dim(formatValue(before))],
      formatValue(after),
    ]),
  );

/** What was done with an object, or would be done. @param noun `variable`. */
export function actionLine(
  noun: string,
  action: 'create' | 'update' | 'unchanged',
  name: string,
  isPlan = false,
): Block {
  const subject = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} `;
  if (action === 'unchanged') return text(subject, code(name), ' is unchanged.');
  if (isPlan) return text(subject, code(name), ` would be ${action}d.`);
  return text(`${action === 'create' ? 'Created' : 'Updated'} ${noun} `, code(name), '.');
}

/** What a write did with an object. */
export interface Written {
  readonly created: boolean;
  /** Null: unknown, because the object could not be read before. */
  readonly changes: readonly Change[] | null;
}

/** What a write did. @param before undefined: the object did not exist; null: it could not be read */
export const writtenChanges = (before: object | null | undefined, after: object): Written => ({
  created: before === undefined,
  changes: before === null ? null : before === undefined ? [] : diff(before, after),
});

/** What a write did with an object, and each changed field. @param noun `variable`. */
export function writtenView(
  noun: string,
  name: string,
  { created, changes }: Written,
  tableOf: (changes: readonly Change[]) => Block = changesTable,
): Document {
  if (changes === null) return [text(`Wrote ${noun} `, code(name), '.'), unknownChanges];
  if (created) return [actionLine(noun, 'create', name)];
  if (changes.length === 0) return [actionLine(noun, 'unchanged', name)];
  return [actionLine(noun, 'update', name), tableOf(changes)];
}

/** The result of a write. @param id the fields that name the object. */
export const writtenResult = <Id extends object>(noun: string, name: string, id: Id, written: Written) => ({
  data: { ...id, ...written },
  payload: written.changes,
  document: writtenView(noun, name, written),
});

/** The result of a write of an existing object, as of `writtenResult`. */
export const updatedResult = <Id extends object>(
  noun: string,
  name: string,
  id: Id,
  changes: readonly Change[],
  tableOf?: (changes: readonly Change[]) => Block,
) => ({
  data: { ...id, changes },
  payload: changes,
  document: writtenView(noun, name, { created: false, changes }, tableOf),
});

/** After the line of a write whose changes are null. */
const unknownChanges: Block = text('Its changes are unknown: the current values could not be read before.');

/** A key of data whose values are secret. */
export interface KeyChange {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** The changed keys of data, without their values: existing ones, then new ones, each sorted by name. */
export const keyChanges = (before: JsonObject, after: JsonObject): KeyChange[] =>
  allNames(sortedByName(before), sortedByName(after))
    .filter((key) => !isEqual(ownValue(before, key), ownValue(after, key)))
    .map((key) => ({
      key,
      change: !Object.hasOwn(before, key) ? 'added' : Object.hasOwn(after, key) ? 'changed' : 'removed',
    }));

export const keyChangesTable = (changes: readonly KeyChange[]): Block =>
  reportTable(
    ['KEY', 'CHANGE'],
    changes.map(({ key, change }) => [key, change]),
  );

/**
 * The changed keys of data that was replaced, and how to show them.
 *
 * @param before undefined: the data did not exist; null: it could not be read
 */
export function changedKeys(before: JsonObject | null | undefined, after: JsonObject) {
  const changes = before ? keyChanges(before, after) : before === null ? null : [];
  const shown =
    changes === null
      ? [unknownChanges]
      : changes.length > 0
        ? [keyChangesTable(changes)]
        : before
          ? [text('No value has changed.')]
          : [];
  return { changes, document: shown };
}

/** Who changed a field, as text. */
export const changedByText: { readonly [By in ThreeWayChange['by']]: string } = {
  mine: 'only you changed it',
  theirs: 'only they changed it',
  both: 'both changed it, to the same',
  conflict: 'both changed it',
};

/** A field on one line: its old value, and the value of each version. */
export function formatThreeWayChange({ path, base, mine, theirs, by }: ThreeWayChange): string {
  const result = {
    mine: `→ ${formatValue(mine)}`,
    theirs: `→ ${formatValue(theirs)}`,
    both: `→ ${formatValue(mine)}`,
    conflict: `→ yours ${formatValue(mine)}, theirs ${formatValue(theirs)}`,
  }[by];
  return `${formatPath(path)} (${changedByText[by]}): ${formatValue(base)} ${result}`;
}

export const formatPath = (path: readonly string[]): string =>
  path.length === 0 ? 'all of it' : path.join('.');

export const formatValue = (value: unknown): string => (value === undefined ? '(none)' : formatJson(value));

const allNames = (...sides: readonly JsonObject[]): string[] => [...new Set(sides.flatMap(Object.keys))];

const ownValue = (members: JsonObject, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;
