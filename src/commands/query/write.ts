import { isQueryNameTaken } from '../../api/conditions.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { LanyardError, settle } from '../../errors.ts';
import { type Change, changes, same } from '../../output/changes.ts';
import { essence, type Members, without, writable } from './members.ts';
import { type Found, missing, nameOf } from './shared.ts';
import { secretless } from './views.ts';

/** The changes that a write would make to an existing query; explicit defaults are not changes. */
export const changesTo = (current: PreparedQuery, next: Members): readonly Change[] =>
  secretless(changes(essence(writable(current)), essence(next)));

/**
 * Creates a query; if the response is lost, searches for the query to verify the result.
 *
 * @returns its ID.
 */
export async function createQuery(registry: RegistryClient, query: Members, where: object): Promise<string> {
  let found: string | undefined;
  const answer = await settle(
    () => registry.createQuery({ ...query, ...where }).catch(taken(instead)),
    async () => {
      const { body } = await registry.listQueries(where);
      // Without a name, an equal query may have existed before.
      const there = (body ?? []).find((other) => query.Name && isAsWritten(other, query));
      found = there?.ID;
      return { done: found !== undefined, found: 'the query does not exist' };
    },
  );
  return answer?.body.ID ?? found ?? '';
}

/**
 * Reports a name that another query has as a conflict, whatever its status
 * (docs/protocol/queries-and-chain.md#query-endpoints).
 */
const taken =
  (hint: string) =>
  (error: unknown): never => {
    if (!isQueryNameTaken(error)) throw error;
    throw new LanyardError(
      'conflict',
      'cannot write the query: a prepared query with this name already exists',
      {
        ...{ service: error.service, status: error.status, details: error.details },
        hint,
      },
    );
  };

const instead = 'Run `lanyard query put` to create or replace it, or `lanyard query update` to change it.';

/** Replaces a query; if the response is lost, reads the query to verify the result. */
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
        .catch(taken('Nothing was written. Choose another name.'))
        .catch(missing(nameOf(current))),
    async () => {
      const [there] = (await registry.readQuery({ query: ID, ...where })).body;
      const isDone = there !== undefined && isAsWritten(there, next);
      return { done: isDone, found: 'the stored query differs' };
    },
  );
}

/** Compared without the token, which may be hidden. */
const isAsWritten = (there: PreparedQuery, written: Members): boolean =>
  same(essence(without(writable(there), 'Token')), essence(without(written, 'Token')));

/** Reports what was written when a later write failed. */
export function doneInPart(error: unknown, done: readonly string[]): unknown {
  if (!(error instanceof LanyardError) || done.length === 0) return error;
  return new LanyardError('unknown', `partially applied: ${error.message}`, {
    ...{ service: error.service, status: error.status },
    details: [...done, ...error.details],
    hint: 'Fix the error and run the same command again to continue.',
  });
}
