import { formatJson } from '../wire/json.ts';

/** A field that is not the same in two objects; `undefined` where it is not there. */
export interface Change {
  /** The names on the way to it; what is in a list has none, a list changes as a whole. */
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** A field that somebody changed. */
export interface ThreeWay {
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Who changed it; `conflict`: both did, and not to the same. */
  readonly by: 'mine' | 'theirs' | 'both' | 'conflict';
}

type Members = Readonly<Record<string, unknown>>;

/** Is it the same JSON, whatever the order of the fields? */
export function same(one: unknown, other: unknown): boolean {
  return changes(one, other).length === 0;
}

/** What differs between two JSON values: the smallest fields that do, those of the first before new ones. */
export function changes(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isMembers(before) && isMembers(after))
    return namesOf(before, after).flatMap((name) =>
      changes(own(before, name), own(after, name), [...path, name]),
    );
  const isSame =
    Array.isArray(before) && Array.isArray(after)
      ? before.length === after.length && before.every((element, index) => same(element, after[index]))
      : before === after;
  return isSame ? [] : [{ path, before, after }];
}

/**
 * What two people made of the same object: every field that one of them changed, and who did. An object is
 * one field where one of the three has something else in its place.
 */
export function threeWay(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: readonly string[] = [],
): ThreeWay[] {
  if (isMembers(base) && isMembers(mine) && isMembers(theirs))
    return namesOf(base, mine, theirs).flatMap((name) =>
      threeWay(own(base, name), own(mine, name), own(theirs, name), [...path, name]),
    );
  const by = changedBy(base, mine, theirs);
  return by === undefined ? [] : [{ path, base, mine, theirs, by }];
}

/**
 * What two people made of the same object, together: a field that only one of them changed is as they left it.
 * Where both did, and not to the same, it is as `mine` has it: `threeWay` tells of those.
 */
export function mergedThreeWay(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isMembers(base) && isMembers(mine) && isMembers(theirs))
    return Object.fromEntries(
      namesOf(theirs, mine)
        .map((name) => [name, mergedThreeWay(own(base, name), own(mine, name), own(theirs, name))] as const)
        .filter(([, value]) => value !== undefined),
    );
  return same(base, mine) ? theirs : mine;
}

function changedBy(base: unknown, mine: unknown, theirs: unknown): ThreeWay['by'] | undefined {
  const [isMine, isTheirs] = [!same(base, mine), !same(base, theirs)];
  if (isMine && isTheirs) return same(mine, theirs) ? 'both' : 'conflict';
  return isMine ? 'mine' : isTheirs ? 'theirs' : undefined;
}

/** A field in one line: `Service.Tags: ["a"] → ["b"]`. */
export const changeLine = ({ path, before, after }: Change): string =>
  `${pathText(path)}: ${valueText(before)} → ${valueText(after)}`;

/** Who changed a field, in words. */
export const said: { readonly [By in ThreeWay['by']]: string } = {
  mine: 'only you changed it',
  theirs: 'only they changed it',
  both: 'both changed it, to the same',
  conflict: 'both changed it',
};

/** A field in one line: what it was, what each made of it. */
export function threeWayLine({ path, base, mine, theirs, by }: ThreeWay): string {
  const made = {
    mine: `→ ${valueText(mine)}`,
    theirs: `→ ${valueText(theirs)}`,
    both: `→ ${valueText(mine)}`,
    conflict: `→ yours ${valueText(mine)}, theirs ${valueText(theirs)}`,
  }[by];
  return `${pathText(path)} (${said[by]}): ${valueText(base)} ${made}`;
}

export const pathText = (path: readonly string[]): string =>
  path.length === 0 ? 'all of it' : path.join('.');

export const valueText = (value: unknown): string => (value === undefined ? '(none)' : formatJson(value));

const namesOf = (...sides: readonly Members[]): string[] => [...new Set(sides.flatMap(Object.keys))];

const own = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
