import { isQueryNameTaken } from '../../../api/conditions/registry.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { PreparedQuery } from '../../../api/registry-queries.ts';
import { confirmWrite, describeAs } from '../../../errors.ts';
import { type Change, diff, isEqual, updatedResult } from '../../../output/diff.ts';
import { type FoundQuery, queryDisplayName, queryNotFoundError } from './find-query.ts';
import { normalizeQuery, omitField, type QueryObject, writableFields } from './query-object.ts';
import { hideTokens } from './views.ts';

/** The changes that a write would make to an existing query; explicit defaults are not changes. */
export const queryChanges = (current: PreparedQuery, next: QueryObject): readonly Change[] =>
  hideTokens(diff(normalizeQuery(writableFields(current)), normalizeQuery(next)));

/** The result of an update. */
export const updatedQuery = (
  { ID }: FoundQuery,
  next: QueryObject | FoundQuery,
  changes: readonly Change[],
) => updatedResult('query', queryDisplayName({ ...next, ID }), { ID, Name: next.Name ?? '' }, changes);

/**
 * Creates a query; if the response is lost, searches for the query to verify the result.
 *
 * @returns its ID.
 */
export async function createQuery(
  registry: RegistryClient,
  query: QueryObject,
  where: object,
): Promise<string> {
  let found: string | undefined;
  const response = await confirmWrite(
    () => registry.createQuery({ ...query, ...where }).catch(describeTakenName(putHint)),
    async () => {
      const { body } = await registry.findQueries(where);
      // Without a name, an equal query may have existed before.
      const existing = (body ?? []).find((other) => query.Name && isAsWritten(other, query));
      found = existing?.ID;
      return { done: found !== undefined, found: 'the query does not exist' };
    },
  );
  return response?.body.ID ?? found ?? '';
}

/**
 * Reports a name that another query has as a conflict, whatever its status
 * (docs/protocol/queries-and-chain.md#query-endpoints).
 */
const describeTakenName = (hint: string) =>
  describeAs(
    isQueryNameTaken,
    'conflict',
    'cannot write the query: a prepared query with this name already exists',
    { hint },
  );

const putHint = 'Run `lanyard query put` to create or replace it, or `lanyard query update` to change it.';

/** Replaces a query; if the response is lost, reads the query to verify the result. */
export async function updateQuery(
  registry: RegistryClient,
  current: FoundQuery,
  next: QueryObject,
  where: object,
): Promise<void> {
  const { ID } = current;
  await confirmWrite(
    () =>
      registry
        .updateQuery({ ...next, query: ID, ...where })
        .catch(describeTakenName('Nothing was written. Choose another name.'))
        .catch(queryNotFoundError(queryDisplayName(current))),
    async () => {
      const [existing] = (await registry.readQuery({ query: ID, ...where })).body;
      const isDone = existing !== undefined && isAsWritten(existing, next);
      return { done: isDone, found: 'the stored query differs' };
    },
  );
}

/** Compared without the token, which may be hidden. */
const isAsWritten = (existing: PreparedQuery, written: QueryObject): boolean =>
  isEqual(
    normalizeQuery(omitField(writableFields(existing), 'Token')),
    normalizeQuery(omitField(written, 'Token')),
  );
