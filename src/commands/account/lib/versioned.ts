import { isInvalidId, isStaleVersion } from '../../../api/conditions/accounts.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, conflict, isNotFound, LanyardError } from '../../../errors.ts';
import { diff, formatChange } from '../../../output/diff.ts';
import { describeMissing, type Noun } from './errors.ts';

/** What every object with a version has. */
interface Item {
  readonly id: string;
  /** Each change increases it by one. */
  readonly version: number;
}

/** An existing object that requests change only at a known version. */
export interface Versioned<Body extends Item> {
  readonly noun: Noun;
  readonly id: string;
  readonly read: () => Promise<{ readonly body: Body }>;
}

/** An object at the version that a change expects. */
export interface Base<Body extends Item> extends Versioned<Body> {
  readonly version: number;
  /** The object that was read; undefined if the version was given and nothing was read. */
  readonly current: Body | undefined;
}

/** The object at its current version. @throws LanyardError not_found */
export async function readCurrent<Body extends Item>(
  object: Versioned<Body>,
): Promise<Base<Body> & { readonly current: Body }> {
  const { body } = await object.read().catch(describeMissing(object.noun)(object.id));
  return { ...object, version: body.version, current: body };
}

/** An object that was read, and its expected version. @param at undefined: the version that was read */
export const expectVersion = <Body extends Item>(
  base: Base<Body> & { readonly current: Body },
  at: number | undefined,
) => ({ ...base, version: at ?? base.version, isStale: at !== undefined && at !== base.version });

/** The object at the given version, else at its current version. */
export const readBase = <Body extends Item>(
  object: Versioned<Body>,
  expectedVersion: number | undefined,
): Promise<Base<Body>> =>
  expectedVersion === undefined
    ? readCurrent(object)
    : Promise.resolve({ ...object, version: expectedVersion, current: undefined });

interface ChangeOptions<Body> {
  /** Whether the current object has the change; absent if that cannot be read (a password). */
  readonly isWritten?: (current: Body) => boolean;
  /** Added to the warning after a lost response. */
  readonly caveat?: string;
}

/**
 * Sends a change of an object that must still have the version of `base`. After a lost response, the object is read:
 * only one change can create the next version.
 *
 * @param write sends the change.
 * @returns the object after the change.
 * @throws LanyardError conflict: the object has another version; unknown: the outcome is unknown.
 */
export async function changeVersioned<Body extends Item>(
  { output }: Pick<Context, 'output'>,
  base: Base<Body>,
  write: () => Promise<{ readonly body: Body }>,
  { isWritten, caveat = '' }: ChangeOptions<Body> = {},
): Promise<Body> {
  let current: Body | undefined;
  const response = await confirmWrite(
    () => write().catch(describeStaleVersion(base)),
    async () => {
      current = (await base.read()).body;
      const done = current.version === base.version + 1 && (isWritten?.(current) ?? true);
      return { done, found: describeOutcome(current, base) };
    },
  );
  if (response) return response.body;
  if (!current) throw new Error('settled without looking');
  output.warn(`the response was lost, but the ${base.noun} now has version ${current.version}${caveat}`);
  return current;
}

function describeOutcome(current: Item, { noun, version }: Base<Item>): string {
  if (current.version === version)
    return `the ${noun} still has version ${version}: the change was not applied, or not yet`;
  return current.version === version + 1
    ? `the ${noun} has version ${current.version}, but not the requested values: it was changed by another request`
    : `the ${noun} has version ${current.version}, not ${version}: it was changed by another request`;
}

// A stale version has the status of a missing object, or (passwords, members, grants) of an internal error.
const possiblyStaleStatuses = [400, 404, 409, 412, 500];

/** Reads the object to distinguish a stale version from other reasons of an error. */
const describeStaleVersion =
  <Body extends Item>(base: Base<Body>) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof LanyardError) || !possiblyStaleStatuses.includes(error.status ?? 0)) throw error;
    let current: Body;
    try {
      current = (await base.read()).body;
    } catch (reading) {
      if (isInvalidId(reading) || isNotFound(reading)) return describeMissing(base.noun)(base.id)(reading);
      throw error;
    }
    if (current.version === base.version) throw error;
    const show = `lanyard ${commandsOf(base.noun)} get ${base.id}`;
    // A proxy may have replaced the response to an applied change: the next version may be ours.
    if (!isStaleVersion(error) && current.version === base.version + 1)
      throw new LanyardError('unknown', `${error.message}; outcome unknown`, {
        service: 'accounts',
        status: error.status,
        details: error.details,
        hint: `Run \`${show}\` to verify the ${base.noun} before you retry.`,
      });
    throw conflict(
      `cannot change ${base.noun} "${base.id}": it has version ${current.version}, not ${base.version}; nothing was written`,
      {
        service: 'accounts',
        status: error.status,
        details: [...error.details, ...concurrentChanges(base, current)],
        hint: `Run \`${show}\` to check the current values, then retry with --at ${current.version}.`,
      },
    );
  };

/** The group of commands of an object: `account`, `account user`, `account auth-method`. */
const commandsOf = (noun: Noun): string =>
  noun === 'account' ? 'account' : `account ${noun.replace(' ', '-')}`;

const serverManagedFields = ['version', 'updated_time', 'authorized_actions', 'managed_group_ids'];

/** The changes by other requests since the object was read. */
const concurrentChanges = <Body extends Item>(
  { current: before }: Base<Body>,
  after: Body,
): readonly string[] =>
  before === undefined
    ? []
    : diff(before, after)
        .filter(({ path }) => !serverManagedFields.includes(path[0] ?? ''))
        .map((each) => `changed meanwhile: ${formatChange(each)}`);
