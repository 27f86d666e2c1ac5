import type { PreparedQuery } from '../../../api/registry-queries.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import type { Definition } from '../../../io/definition-file.ts';
import type { Problem } from '../../../objects/field-problems.ts';
import { isQueryObject, omitField, type QueryObject } from './query-object.ts';
import { isHiddenTokenPlaceholder, looksLikeTemplate, ruleProblems, schemaProblems } from './query-rules.ts';

/** The objects of a file, with a valid structure. @throws LanyardError usage: one detail per problem, with its line. */
export function queryFields(name: string, definitions: readonly Definition[]): readonly QueryObject[] {
  invalidQueryError(
    `query in ${name}`,
    definitions.flatMap((definition) =>
      [...schemaProblems(definition.value)].map((problem) => formatProblem(name, definition, problem)),
    ),
  );
  return definitions.map(({ value }) => (isQueryObject(value) ? value : {}));
}

/**
 * Validates queries of a valid structure.
 *
 * @param name of the file if `definitions` are given, else of the query.
 * @throws LanyardError usage: one detail per problem.
 */
export function checkQueries(
  name: string,
  queries: readonly QueryObject[],
  definitions: readonly Definition[] = [],
): void {
  invalidQueryError(
    definitions.length > 0 ? `query in ${name}` : name,
    queries.flatMap((query, index) =>
      [...ruleProblems(query)].map((problem) => formatProblem(name, definitions[index], problem)),
    ),
  );
}

function invalidQueryError(what: string, details: readonly string[]): void {
  if (details.length === 0) return;
  throw usage(`invalid ${what}`, { details, hint: 'Nothing was sent.' });
}

function formatProblem(
  name: string,
  definition: Definition | undefined,
  { path: way, what }: Problem,
): string {
  const field = way.length === 0 ? 'prepared query' : way.join('.');
  return definition ? `${name}, line ${definition.lineOf(way)}: ${field}: ${what}` : `${field}: ${what}`;
}

/** A query without a placeholder token, so that the existing token is kept. */
export const withoutPlaceholder = (query: QueryObject): QueryObject =>
  isHiddenTokenPlaceholder(query.Token) ? omitField(query, 'Token') : query;

/** Warns if a query that is not a template has expressions that only templates fill in. */
export function warnAboutTemplate(output: Pick<Context['output'], 'warn'>, query: QueryObject): void {
  if (looksLikeTemplate(query))
    output.warn(`\${...} is only filled in by templates; this query uses it literally`);
}

/**
 * The query that replaces an existing one: keeps the existing token unless another is given.
 *
 * @throws LanyardError forbidden: the existing token is hidden, so that a write would remove it.
 */
export function preserveToken(name: string, current: PreparedQuery, next: QueryObject): QueryObject {
  if (next.Token !== undefined || !current.Token) return next;
  if (!isHiddenTokenPlaceholder(current.Token)) return { ...next, Token: current.Token };
  throw new LanyardError('forbidden', `cannot write query "${name}": its token is hidden from your token`, {
    service: 'registry',
    hint: 'A write replaces all fields and would remove the token. Use a management token, set a token with --token SOURCE, or remove it with --unset token (in a file: Token: "").',
  });
}
