import { isQueryNameTaken } from '../../api/conditions.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { LanyardError, settle } from '../../errors.ts';
import { type Change, changes, same } from '../../output/changes.ts';
import { essence, type Members, without, writable } from './members.ts';
import { type Found, missing, nameOf } from './shared.ts';
import { secretless } from './views.ts';

/** What a write would change of a query that is there; defaults that are spelled out are no change. */
export const changesTo = (current: PreparedQuery, next: Members): readonly Change[] =>
  secretless(changes(essence(writable(current)), essence(next)));

/**
 * Creates a query; a lost answer is settled by looking for it.
 *
 * @returns its ID.
 */
export async function createQuery(registry: RegistryClient, query: Members, where: object): Promise<string> {
  let found: string | undefined;
  const answer = await settle(
    () => registry.createQuery({ ...query, ...where }).catch(taken(instead)),
    async () => {
      const { body } = await registry.listQueries(where);
      // Without a name, one that looks the same may have been there before.
      const there = (body ?? []).find((other) => query.Name && isAsWritten(other, query));
      found = there?.ID;
      return { done: found !== undefined, found: 'there is no such query in the list' };
    },
  );
  return answer?.body.ID ?? found ?? '';
}

/**
 * A name that another query has is a conflict, whatever status the service gives it
 * (docs/protocol/queries-and-chain.md#query-endpoints).
 */
const taken =
  (hint: string) =>
  (error: unknown): never => {
    if (!isQueryNameTaken(error)) throw error;
    throw new LanyardError('conflict', 'there is a prepared query that has this name', {
      ...{ service: error.service, status: error.status, details: error.details },
      hint,
    });
  };

const instead =
  '"lanyard query put" writes it whether it is there or not; "lanyard query update" changes it.';

/** Replaces a query; a lost answer is settled by reading it. */
export async function updateQuery(
  registry: RegistryClient,
  current: Found,
  next: Members,
  where: object,
): Promise<void> {
  const { ID } = current;
  await settle(
    () =>
      registry
        .updateQuery({ ...next, query: ID, ...where })
        .catch(taken('Nothing was written: choose another name.'))
        .catch(missing(nameOf(current))),
    async () => {
      const [there] = (await registry.readQuery({ query: ID, ...where })).body;
      const isDone = there !== undefined && isAsWritten(there, next);
      return { done: isDone, found: 'the query that is there now is another' };
    },
  );
}

/** Compared without the token, which may be hidden. */
const isAsWritten = (there: PreparedQuery, written: Members): boolean =>
  same(essence(without(writable(there), 'Token')), essence(without(written, 'Token')));

/** After some of several writes the rest failed: says what is done. */
export function doneInPart(error: unknown, done: readonly string[]): unknown {
  if (!(error instanceof LanyardError) || done.length === 0) return error;
  return new LanyardError('unknown', `done in part: ${error.message}`, {
    ...{ service: error.service, status: error.status },
    details: [...done, ...error.details],
    hint: 'Once what is wrong is mended, the same command line does the rest.',
  });
}
