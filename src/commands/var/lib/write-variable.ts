import { conflictingVariable, isVariableTooLarge } from '../../../api/conditions/scheduler.ts';
import type { SchedulerClient, Variable, VariableMetadata } from '../../../api/scheduler.ts';
import { confirmWrite, conflict, LanyardError } from '../../../errors.ts';
import type { Items } from '../../../io/variable-file.ts';
import { changedByText, diffThreeWay, isEqual, keyChanges } from '../../../output/diff.ts';
import { sortedByName } from '../../../wire/objects.ts';
import { findVariable, indexOf, itemsOf } from './variable.ts';

export interface DesiredVariable {
  readonly path: string;
  readonly items: Items;
  /** Write only if this is the current index; 0: only if the variable does not exist. */
  readonly cas?: string | undefined;
}

/**
 * Writes a variable; if the response is lost, reads the variable to verify the result.
 *
 * @returns the stored variable; undefined: the service did not return it.
 */
export async function writeItems(
  scheduler: SchedulerClient,
  { path, items, cas }: DesiredVariable,
): Promise<Variable | undefined> {
  let found: Variable | undefined;
  const response = await confirmWrite(
    () => scheduler.writeVariable({ path, Items: items, cas }).catch(describeError),
    async () => {
      found = await findVariable(scheduler, path);
      const done = found !== undefined && isEqual(itemsOf(found), items);
      return { done, found: found ? 'the stored variable differs' : 'the variable does not exist' };
    },
  );
  return response ? response.body : found;
}

/**
 * Explains a rejected write. The maximum size depends on the service: 16 KiB in the specification, more in products.
 */
function describeError(error: unknown): never {
  throw error instanceof LanyardError && isVariableTooLarge(error)
    ? error.withHint('Split the items across several variables.')
    : error;
}

export interface CasConflict {
  /** `unknown`: locked or absent; the token may not read the variable to find out. */
  readonly state: 'changed' | 'locked' | 'absent' | 'unknown';
  /** The current index; 0: the variable does not exist, or unknown. */
  readonly index: string;
  /** Undefined: the token may not read them. */
  readonly items: Items | undefined;
}

interface WriteAttempt {
  readonly path: string;
  readonly cas?: string | undefined;
}

/**
 * The reason for a conflict (409); undefined: the error is not a conflict. A response without an index means a lock or a
 * variable that does not exist: without check-and-set it is a lock, else the variable is read to find out.
 */
export async function readConflict(
  error: unknown,
  scheduler: SchedulerClient,
  { path, cas }: WriteAttempt,
): Promise<CasConflict | undefined> {
  const stored = conflictingVariable(error);
  if (!stored) return undefined;
  if (stored.index !== '0') return { ...stored, state: stateOf(stored.index, cas) };
  if (cas === undefined) return { ...stored, state: 'locked' };
  try {
    const found = await findVariable(scheduler, path);
    if (!found) return { state: 'absent', index: '0', items: {} };
    const index = indexOf(found);
    return { state: stateOf(index, cas), index, items: itemsOf(found) };
  } catch {
    return { ...stored, state: 'unknown' };
  }
}

/** A write with the current index, or without one, that is still rejected means a lock. */
const stateOf = (index: string, cas: string | undefined): 'changed' | 'locked' =>
  cas === undefined || cas === index ? 'locked' : 'changed';

interface RejectedWrite extends WriteAttempt {
  /** Undefined: it was a delete. */
  readonly items?: Items;
  /** Replaces the hint about --cas. */
  readonly hint?: string;
}

/** Explains a conflict of a write or delete: the current state and the differing items, without values. */
export const describeConflict =
  (scheduler: SchedulerClient, rejected: RejectedWrite) =>
  async (error: unknown): Promise<never> => {
    const casConflict = await readConflict(error, scheduler, rejected);
    throw casConflict ? conflictError(rejected, casConflict) : error;
  };

export function conflictError(
  { path, cas, items, hint }: RejectedWrite,
  casConflict: CasConflict,
): LanyardError {
  const isDelete = items === undefined;
  const cause = causes[casConflict.state](cas ?? '', casConflict.index);
  return conflict(`cannot ${isDelete ? 'delete' : 'write'} variable "${path}": ${cause}`, {
    service: 'scheduler',
    status: 409,
    details: isDelete ? [] : differences(items, casConflict),
    hint: (casConflict.state === 'locked' ? undefined : hint) ?? hints[casConflict.state](path, isDelete),
  });
}

const causes: { readonly [S in CasConflict['state']]: (cas: string, index: string) => string } = {
  absent: () => 'not found',
  locked: () => 'locked',
  unknown: (cas) => `locked, or its ModifyIndex is not ${cas}`,
  changed: (cas, index) =>
    cas === '0' ? `already exists (ModifyIndex ${index})` : `its ModifyIndex is ${index}, not ${cas}`,
};

const hints: { readonly [S in CasConflict['state']]: (path: string, isDelete: boolean) => string } = {
  absent: (_path, isDelete) =>
    isDelete ? 'Run `lanyard var list` for the existing variables.' : 'Use --cas 0 to create it.',
  locked: (path) =>
    `Retry when the lock is released or expires. With a management token, run \`lanyard var get ${path} --field Lock.TTL\` for its duration.`,
  unknown: () => 'Use a token with permission to read the variable.',
  changed: (path) => `Run \`lanyard var get ${path}\` and use its ModifyIndex with --cas.`,
};

const unreadableDetail = 'The differing items are unknown: the token has no permission to read the variable.';

/** One line per differing item. */
function differences(mine: Items, { state, items }: CasConflict): readonly string[] {
  if (state !== 'changed') return [];
  if (!items) return [unreadableDetail];
  const changed = keyChanges(items, mine).map(({ key, change }) => `${key}: ${differenceTexts[change]}`);
  return changed.length > 0 ? changed : ['No items differ.'];
}

const differenceTexts = {
  added: 'only in your version',
  removed: 'only in the stored version',
  changed: 'differs',
} as const;

/** The error of concurrent changes to the same variable: one line per changed item, without values. */
export function mergeConflictError(
  path: string,
  base: Items,
  mine: Items,
  theirs: Items | undefined,
): LanyardError {
  return conflict(`cannot write variable "${path}": changed concurrently; nothing was written`, {
    service: 'scheduler',
    details: theirs
      ? diffThreeWay(sortedByName(base), sortedByName(mine), sortedByName(theirs)).map(
          ({ path: [key = ''], by }) => `${key}: ${changedByText[by]}`,
        )
      : [unreadableDetail],
  });
}

export const deletedMeanwhileError = (path: string) =>
  conflict(`cannot write variable "${path}": deleted concurrently; nothing was written`, {
    service: 'scheduler',
  });

export function metadataOf(variable: Variable | undefined, path: string): VariableMetadata {
  const entries = Object.entries(variable ?? { Path: path });
  return Object.fromEntries(entries.filter(([name]) => name !== 'Items')) as VariableMetadata;
}

export interface MergeBase {
  readonly base: Items;
  /** Its index; 0: the variable did not exist. */
  readonly cas: string;
}

/** Maximum number of attempts; more than the expected number of concurrent writers, each of which costs one. */
const maxAttempts = 200;

/**
 * Writes the result of `mine` with check-and-set. After a concurrent change `mine` is called again with the current
 * items, unless both changed the same items.
 *
 * @param mine returns the desired items for the current ones; an error ends the attempts.
 * @returns the stored variable.
 * @throws LanyardError conflict, one line per item.
 */
export async function writeMerged(
  scheduler: SchedulerClient,
  path: string,
  first: MergeBase,
  mine: (theirs: Items) => Items,
): Promise<{ readonly variable: Variable | undefined; readonly items: Items; readonly rounds: number }> {
  let current = first;
  for (let rounds = 1; ; rounds += 1) {
    const items = mine(current.base);
    try {
      const variable = await writeItems(scheduler, { path, items, cas: current.cas });
      return { variable, items, rounds };
    } catch (error) {
      const casConflict = await readConflict(error, scheduler, { path, cas: current.cas });
      if (!casConflict) throw error;
      const { state, index, items: theirs } = casConflict;
      if (state === 'locked' || state === 'unknown')
        throw conflictError({ path, cas: current.cas, items }, casConflict);
      if (state === 'absent' && current.cas !== '0') throw deletedMeanwhileError(path);
      const next = theirs ? { base: theirs, cas: index } : await readBase(scheduler, path);
      if (next.cas === '0' && current.cas !== '0') throw deletedMeanwhileError(path);
      const isClash = diffThreeWay(current.base, items, next.base).some(({ by }) => by === 'conflict');
      if (isClash || rounds === maxAttempts) throw mergeConflictError(path, current.base, items, next.base);
      current = next;
    }
  }
}

async function readBase(scheduler: SchedulerClient, path: string): Promise<MergeBase> {
  const found = await findVariable(scheduler, path);
  return found ? { base: itemsOf(found), cas: indexOf(found) } : { base: {}, cas: '0' };
}
