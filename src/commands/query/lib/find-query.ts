import { isMissingQuery } from '../../../api/conditions/registry.ts';
import { isFiltered } from '../../../api/filtered-results.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { PreparedQuery } from '../../../api/registry-queries.ts';
import { arg, flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { describeAs, LanyardError, notFound, usage } from '../../../errors.ts';
import type { Definition } from '../../../io/definition-file.ts';
import type { Problem } from '../../../objects/field-problems.ts';
import { compact } from '../../../wire/objects.ts';
import { isQueryObject, omitField, type QueryObject } from './query-object.ts';
import { isHiddenTokenPlaceholder, looksLikeTemplate, ruleProblems, schemaProblems } from './query-rules.ts';

export const queryArg = arg.text('QUERY', 'name or ID of the query', { completes: { live: 'query' } });
export const dcFlag = flag.datacenter('datacenter');
export const replaceFlag = flag.boolean('reset all other fields to their defaults, except the token');
export const fileFlag = flag.file('FILE|-', 'fields as JSON or YAML; - for standard input');

export const consistencyFlags = {
  stale: flag.boolean('allow stale reads'),
  consistent: flag.boolean('fully consistent reads'),
} as const;

/** The query parameters of a read. @throws LanyardError usage: --stale and --consistent together. */
export function consistencyOf(flags: Values<typeof consistencyFlags> & { readonly dc: string | undefined }) {
  if (flags.stale && flags.consistent) throw usage('--stale cannot be combined with --consistent');
  return {
    ...compact({ dc: flags.dc }),
    stale: flags.stale ? ('' as const) : undefined,
    consistent: flags.consistent ? ('' as const) : undefined,
  };
}

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

/** The registry compares the names of queries without case. */
export const isSameQueryName = (a: string | undefined, b: string): boolean =>
  a !== undefined && a.toLowerCase() === b.toLowerCase();

export type FoundQuery = PreparedQuery & { readonly ID: string };

/**
 * Finds a prepared query by its ID, or by its name among those that the token can read.
 *
 * @throws LanyardError not_found; usage: several queries have the name.
 */
export async function findQuery(registry: RegistryClient, name: string, where: object): Promise<FoundQuery> {
  if (name === '') throw usage('invalid query "": expected a name or an ID');
  if (uuid.test(name)) {
    const { body } = await registry.readQuery({ query: name, ...where }).catch(queryNotFoundError(name));
    const [query] = body;
    if (!query) throw notFound(`prepared query "${name}" not found`);
    return { ...query, ID: name };
  }
  const { body, headers } = await registry.findQueries(where);
  const named = (body ?? []).filter((query) => isSameQueryName(query.Name, name));
  const [query] = named;
  if (named.length > 1)
    throw usage(`${named.length} prepared queries have the name "${name}"`, {
      details: named.map(({ ID = '', Template }) => `${ID}${Template?.Type ? ' (a template)' : ''}`),
      hint: 'Specify the query by its ID.',
    });
  if (query?.ID === undefined)
    throw notFound(`prepared query "${name}" not found`, {
      service: 'registry',
      hint: isFiltered(headers)
        ? 'The token cannot read all queries. Run `lanyard query list` for those it can read.'
        : 'Run `lanyard query list` for the existing queries. A query without a name has only an ID.',
    });
  return { ...query, ID: query.ID };
}

/** Reports an unknown query as not found, whatever its status. */
export const queryNotFoundError = (name: string) =>
  describeAs(isMissingQuery, 'not_found', `prepared query "${name}" not found`, {
    hint: 'Run `lanyard query list` for the existing queries.',
  });

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

export const queryDisplayName = ({ Name, ID }: { readonly Name?: unknown; readonly ID?: unknown }): string =>
  String(Name || ID || '(unnamed)');
