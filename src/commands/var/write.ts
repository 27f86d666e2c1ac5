import { conflictingVariable, isVariableTooLarge, missingNamespaceOf } from '../../api/conditions.ts';
import type { SchedulerClient, Variable } from '../../api/scheduler.ts';
import { LanyardError, notFound, settle } from '../../errors.ts';
import type { Items } from '../../io/items.ts';
import { changes, said, same, threeWay } from '../../output/changes.ts';
import { sortedByName } from '../../wire/sorted.ts';
import { find, indexOf, itemsOf } from './shared.ts';

/** A variable as it is to be. */
export interface Wanted {
  readonly path: string;
  readonly items: Items;
  /** Write only if this is the index of what is there; 0: if nothing is. */
  readonly cas?: string | undefined;
}

/**
 * Writes a variable; a lost answer is settled by reading it.
 *
 * @returns what the service has now; undefined when it does not say.
 */
export async function writeItems(
  scheduler: SchedulerClient,
  { path, items, cas }: Wanted,
): Promise<Variable | undefined> {
  let found: Variable | undefined;
  const answer = await settle(
    () =>
      scheduler.writeVariable({ path, Items: items, ...(cas === undefined ? {} : { cas }) }).catch(refused),
    async () => {
      found = await find(scheduler, path);
      const done = found !== undefined && same(itemsOf(found), items);
      return { done, found: found ? 'the variable that is there now is another' : 'there is no variable' };
    },
  );
  return answer ? answer.body : found;
}

/**
 * What to do about a refusal. A service of the specification takes 16 KiB, others take more, so that only the
 * service knows what is too large.
 */
function refused(error: unknown): never {
  if (!(error instanceof LanyardError)) throw error;
  const facts = { service: error.service, status: error.status, details: error.details };
  const namespace = missingNamespaceOf(error);
  if (namespace !== undefined)
    throw notFound(`there is no namespace "${namespace}"; nothing was written`, {
      ...facts,
      hint: `"lanyard namespace put ${namespace}" creates it.`,
    });
  if (isVariableTooLarge(error))
    throw new LanyardError(error.kind, error.message, {
      ...facts,
      hint: 'Spread the items over several variables.',
    });
  throw error;
}

/** What is in the way of a write or delete. */
export interface Obstacle {
  /** `unknown`: locked or absent; the token may not read the variable, so that nothing tells which. */
  readonly state: 'changed' | 'locked' | 'absent' | 'unknown';
  /** The index of what is there; 0: of nothing, or not known. */
  readonly index: string;
  /** Undefined: the token may not read them. */
  readonly items: Items | undefined;
}

/** A write or delete that may be rejected. */
interface Attempt {
  readonly path: string;
  readonly cas?: string | undefined;
}

/**
 * What a conflict (409) is about; undefined: the error is none. A response without an index may be about a lock or
 * about a variable that does not exist: without check-and-set only a lock can be in the way, else a read tells.
 */
export async function obstacleOf(
  error: unknown,
  scheduler: SchedulerClient,
  { path, cas }: Attempt,
): Promise<Obstacle | undefined> {
  const stored = conflictingVariable(error);
  if (!stored) return undefined;
  if (stored.index !== '0') return { ...stored, state: stateOf(stored.index, cas) };
  if (cas === undefined) return { ...stored, state: 'locked' };
  try {
    const found = await find(scheduler, path);
    if (!found) return { state: 'absent', index: '0', items: {} };
    const index = indexOf(found);
    return { state: stateOf(index, cas), index, items: itemsOf(found) };
  } catch {
    return { ...stored, state: 'unknown' };
  }
}

/** A write that names the current index, or none, and is still rejected meets a lock. */
const stateOf = (index: string, cas: string | undefined): 'changed' | 'locked' =>
  cas === undefined || cas === index ? 'locked' : 'changed';

interface Rejected extends Attempt {
  /** Undefined: it was a delete. */
  readonly items?: Items;
  /** What to do, where the command line has no --cas to correct. */
  readonly hint?: string;
}

/** Explains a conflict of a write or a delete: what is there, and which items differ, without values. */
export const conflicting =
  (scheduler: SchedulerClient, rejected: Rejected) =>
  async (error: unknown): Promise<never> => {
    const obstacle = await obstacleOf(error, scheduler, rejected);
    throw obstacle ? conflict(rejected, obstacle) : error;
  };

/** The error of a rejected write or delete. */
export function conflict({ path, cas, items, hint }: Rejected, obstacle: Obstacle): LanyardError {
  const isDelete = items === undefined;
  const what = causes[obstacle.state](path, cas ?? '', obstacle.index);
  return new LanyardError('conflict', `${what}; nothing was ${isDelete ? 'deleted' : 'written'}`, {
    ...{ service: 'scheduler', status: 409 },
    details: isDelete ? [] : differences(items, obstacle),
    hint: (obstacle.state === 'locked' ? undefined : hint) ?? hints[obstacle.state](path, isDelete),
  });
}

const causes: { readonly [S in Obstacle['state']]: (path: string, cas: string, index: string) => string } = {
  absent: (path) => `there is no variable "${path}"`,
  locked: (path) => `the variable "${path}" is locked`,
  unknown: (path, cas) => `the variable "${path}" is locked, or has another ModifyIndex than ${cas}`,
  changed: (path, cas, index) =>
    cas === '0'
      ? `there is a variable "${path}" already (ModifyIndex ${index})`
      : `the variable "${path}" was changed: its ModifyIndex is ${index}, not ${cas}`,
};

const compare = 'Look at what is there ("lanyard var get"), and give its ModifyIndex with --cas.';

const hints: { readonly [S in Obstacle['state']]: (path: string, isDelete: boolean) => string } = {
  absent: (_path, isDelete) =>
    isDelete ? '"lanyard var list" shows those that there are.' : '--cas 0 creates it.',
  locked: (path) =>
    `Try again when the lock is released or expires; "lanyard var get ${path} --field Lock.TTL" shows how long it lasts.`,
  unknown: () => 'The token may not read the variable: ask someone whose token may.',
  changed: () => compare,
};

const unreadable = 'Which items differ is not known: the token may not read the variable.';

/** One line an item that is not the same. */
function differences(mine: Items, { state, items }: Obstacle): readonly string[] {
  if (state !== 'changed') return [];
  if (!items) return [unreadable];
  const changed = itemChanges(items, mine).map(({ key, change }) => `${key}: ${differs[change]}`);
  return changed.length > 0 ? changed : ['No item differs.'];
}

const differs = { added: 'only in yours', removed: 'only in the stored one', changed: 'differs' } as const;

export interface ItemChange {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** What becomes of items: those that were there, then new ones, each sorted by name. */
export const itemChanges = (before: Items, after: Items): readonly ItemChange[] =>
  changes(sortedByName(before), sortedByName(after)).map(({ path: [key = ''], before: was, after: is }) => ({
    key,
    change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
  }));

/** A conflict between two who changed the same variable: one line an item that anyone changed, without values. */
export function clash(path: string, base: Items, mine: Items, theirs: Items | undefined): LanyardError {
  return new LanyardError('conflict', `the variable "${path}" was changed meanwhile; nothing was written`, {
    service: 'scheduler',
    details: theirs
      ? threeWay(sortedByName(base), sortedByName(mine), sortedByName(theirs)).map(
          ({ path: [key = ''], by }) => `${key}: ${said[by]}`,
        )
      : [unreadable],
  });
}

export const deletedMeanwhile = (path: string) =>
  new LanyardError('conflict', `the variable "${path}" was deleted meanwhile; nothing was written`, {
    service: 'scheduler',
  });

/** What a write shows: of the variable everything but its items. */
export function metadataOf(variable: Variable | undefined, path: string): Readonly<Record<string, unknown>> {
  const entries = Object.entries(variable ?? { Path: path });
  return Object.fromEntries(entries.filter(([name]) => name !== 'Items'));
}

/** Writes with check-and-set over what was read, and gives up only where both sides changed the same items. */
export interface Round {
  readonly base: Items;
  /** The index of what was read; 0: nothing was there. */
  readonly cas: string;
}

/** More than writers who all come at the same time; each of them has to be waited for once. */
const mostRounds = 200;

/**
 * Writes what `mine` makes of the items that are there. When somebody was faster, their items take the place of
 * those that were read and `mine` is asked again, unless both changed the same ones.
 *
 * @param mine the items as they are to be; throws to end it.
 * @returns what the service has now.
 * @throws LanyardError conflict, one line an item.
 */
export async function writeTogether(
  scheduler: SchedulerClient,
  path: string,
  first: Round,
  mine: (theirs: Items) => Items,
): Promise<{ readonly variable: Variable | undefined; readonly items: Items; readonly rounds: number }> {
  let round = first;
  for (let rounds = 1; ; rounds += 1) {
    const items = mine(round.base);
    try {
      const variable = await writeItems(scheduler, { path, items, cas: round.cas });
      return { variable, items, rounds };
    } catch (error) {
      const obstacle = await obstacleOf(error, scheduler, { path, cas: round.cas });
      if (!obstacle) throw error;
      const { state, index, items: theirs } = obstacle;
      if (state === 'locked' || state === 'unknown')
        throw conflict({ path, cas: round.cas, items }, obstacle);
      if (state === 'absent' && round.cas !== '0') throw deletedMeanwhile(path);
      const next = theirs ? { base: theirs, cas: index } : await reread(scheduler, path);
      if (next.cas === '0' && round.cas !== '0') throw deletedMeanwhile(path);
      const isClash = threeWay(round.base, items, next.base).some(({ by }) => by === 'conflict');
      if (isClash || rounds === mostRounds) throw clash(path, round.base, items, next.base);
      round = next;
    }
  }
}

async function reread(scheduler: SchedulerClient, path: string): Promise<Round> {
  const found = await find(scheduler, path);
  return found ? { base: itemsOf(found), cas: indexOf(found) } : { base: {}, cas: '0' };
}
