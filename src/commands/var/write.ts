import { isVariableTooLarge, missingNamespaceOf } from '../../api/conditions.ts';
import type { SchedulerClient, Variable } from '../../api/scheduler.ts';
import { LanyardError, notFound, settle } from '../../errors.ts';
import type { Items } from '../../io/items.ts';
import { changes, said, same, threeWay } from '../../output/changes.ts';
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
export interface Standing {
  /** 0: nothing is there. */
  readonly index: string;
  /** Undefined: the token may not read them. */
  readonly items: Items | undefined;
}

/** What a conflict (409) tells of the variable that is there; undefined: the error is none. */
export function standing(error: unknown): Standing | undefined {
  if (!(error instanceof LanyardError) || error.status !== 409) return undefined;
  const body = 'body' in error && typeof error.body === 'object' ? (error.body as Partial<Variable>) : {};
  const index = String(body?.ModifyIndex ?? 0);
  return { index, items: body?.Items ?? (index === '0' ? {} : undefined) };
}

interface Refused {
  readonly path: string;
  readonly cas?: string | undefined;
  /** Undefined: it was a delete. */
  readonly items?: Items;
  /** What to do, where the command line has no --cas to correct. */
  readonly hint?: string;
}

/** Explains a conflict of a write or a delete: what is there, and which items differ, without values. */
export const conflicting =
  ({ path, cas, items, hint }: Refused) =>
  (error: unknown): never => {
    const there = standing(error);
    if (!there) throw error;
    const { index } = there;
    throw new LanyardError(
      'conflict',
      `${whatStands(path, index, cas)}; nothing was ${items ? 'written' : 'deleted'}`,
      {
        ...{ service: 'scheduler', status: 409 },
        details: items === undefined ? [] : differences(items, there),
        hint: (isLocked(index, cas) ? undefined : hint) ?? whatToDo(index, cas, items === undefined),
      },
    );
  };

/** Who names the index that is there, or none, and still may not write: the variable is locked. */
const isLocked = (index: string, cas: string | undefined): boolean => cas === undefined || cas === index;

function whatToDo(index: string, cas: string | undefined, isDelete: boolean): string {
  if (index === '0')
    return isDelete ? '"lanyard var list" shows those that there are.' : '--cas 0 creates it.';
  return isLocked(index, cas)
    ? 'Try again when whoever holds the lock has let go of it.'
    : 'Look at what is there ("lanyard var get"), and give its ModifyIndex with --cas.';
}

function whatStands(path: string, index: string, cas: string | undefined): string {
  if (index === '0') return `there is no variable "${path}"`;
  if (cas === '0') return `there is a variable "${path}" already (ModifyIndex ${index})`;
  return isLocked(index, cas)
    ? `the variable "${path}" may not be changed now: it may be locked`
    : `the variable "${path}" was changed: its ModifyIndex is ${index}, not ${cas}`;
}

const unreadable = 'Which items differ is not known: the token may not read the variable.';

/** One line an item that is not the same. */
function differences(mine: Items, { index, items }: Standing): readonly string[] {
  if (index === '0') return [];
  if (!items) return [unreadable];
  const changed = itemChanges(items, mine).map(({ key, change }) => `${key}: ${differs[change]}`);
  return changed.length > 0 ? changed : ['No item differs.'];
}

const differs = { added: 'only in yours', removed: 'only in the stored one', changed: 'differs' } as const;

export interface ItemChange {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** What becomes of items, by name. */
export const itemChanges = (before: Items, after: Items): readonly ItemChange[] =>
  changes(before, after).map(({ path: [key = ''], before: was, after: is }) => ({
    key,
    change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
  }));

/** A conflict between two who changed the same variable: one line an item that anyone changed, without values. */
export function clash(path: string, base: Items, mine: Items, theirs: Items | undefined): LanyardError {
  return new LanyardError('conflict', `the variable "${path}" was changed meanwhile; nothing was written`, {
    service: 'scheduler',
    details: theirs
      ? threeWay(base, mine, theirs).map(({ path: [key = ''], by }) => `${key}: ${said[by]}`)
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
      const there = standing(error);
      if (!there) throw error;
      // What is there is what was read, and still it may not be written.
      if (there.index === round.cas) throw conflicting({ path, cas: round.cas, items })(error);
      const next = there.items ? { base: there.items, cas: there.index } : await reread(scheduler, path);
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
