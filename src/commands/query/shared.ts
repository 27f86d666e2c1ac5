import { isMissingQuery } from '../../api/conditions.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { PreparedQuery } from '../../api/registry-queries.ts';
import { arg, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, notFound, usage } from '../../errors.ts';
import type { Definition } from '../../io/definitions.ts';
import { isMembers, type Members, without } from './members.ts';
import { isMarker, looksLikeTemplate, type Problem, ruleProblems, shapeProblems } from './rules.ts';

export const queryArg = arg.text('QUERY', 'its name or its ID');
export const dcFlag = flag.datacenter('the datacenter');
export const fileFlag = flag.text('FILE|-', 'the fields from JSON or YAML; - is standard input', {
  completes: 'file',
});

/** For commands that read: how fresh it must be. */
export const freshFlags = {
  stale: flag.boolean('allow stale reads'),
  consistent: flag.boolean('fully consistent reads'),
} as const;

interface Where {
  dc?: string;
}

export const whereOf = (flags: { readonly dc: string | undefined }): Where =>
  flags.dc === undefined ? {} : { dc: flags.dc };

/** The query parameters of a read. @throws LanyardError usage: --stale and --consistent together. */
export function freshOf(flags: {
  readonly dc: string | undefined;
  readonly stale: boolean;
  readonly consistent: boolean;
}): Where & { stale?: ''; consistent?: '' } {
  if (flags.stale && flags.consistent) throw usage('--stale and --consistent exclude each other');
  return {
    ...whereOf(flags),
    ...(flags.stale ? { stale: '' } : {}),
    ...(flags.consistent ? { consistent: '' } : {}),
  };
}

/** Did the service leave something out that the token may not see? */
export const isFiltered = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.endsWith('-results-filtered-by-acls') && value === 'true',
  );

const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

/** A prepared query and its ID. */
export type Found = PreparedQuery & { readonly ID: string };

/**
 * Finds a prepared query by its ID, or by its name among all that the token may see.
 *
 * @throws LanyardError not_found: there is none; usage: several have the name.
 */
export async function findQuery(registry: RegistryClient, name: string, where: object): Promise<Found> {
  if (name === '') throw usage('a query without a name is named by its ID');
  if (uuid.test(name)) {
    const [query] = await registry.readQuery({ query: name, ...where }).then(
      ({ body }) => body,
      (error: unknown) => missing(name)(error),
    );
    if (!query) throw notFound(`there is no prepared query with the ID ${name}`);
    return { ...query, ID: name };
  }
  const { body, headers } = await registry.listQueries(where);
  const named = (body ?? []).filter((query) => query.Name === name);
  const [query] = named;
  if (named.length > 1)
    throw usage(`${named.length} prepared queries have the name "${name}"`, {
      details: named.map(({ ID = '', Template }) => `${ID}${Template?.Type ? ' (a template)' : ''}`),
      hint: 'Name the one that is meant by its ID.',
    });
  if (query?.ID === undefined)
    throw notFound(`there is no prepared query "${name}"`, {
      service: 'registry',
      hint: isFiltered(headers)
        ? 'The token may not see all of them; "lanyard query list" shows those that it may.'
        : '"lanyard query list" shows those there are; a query without a name has only its ID.',
    });
  return { ...query, ID: query.ID };
}

/** Says of a query that the service does not know that it is not there, whichever status it says so with. */
export const missing =
  (name: string) =>
  (error: unknown): never => {
    if (!isMissingQuery(error)) throw error;
    throw notFound(`there is no prepared query "${name}"`, {
      ...{ service: error.service, status: error.status, details: error.details },
      hint: '"lanyard query list" shows those that the token may see.',
    });
  };

/** One object of a file, of the right form. @throws LanyardError usage: one detail a problem, with its line. */
export function formOf(name: string, definitions: readonly Definition[]): readonly Members[] {
  refuse(
    name,
    definitions.flatMap((definition) =>
      [...shapeProblems(definition.value)].map((problem) => placed(name, definition, problem)),
    ),
  );
  return definitions.map(({ value }) => (isMembers(value) ? value : {}));
}

/** Checks whole queries. @throws LanyardError usage: one detail a problem. */
export function checkQueries(
  name: string,
  queries: readonly Members[],
  definitions: readonly Definition[] = [],
): void {
  refuse(
    name,
    queries.flatMap((query, index) =>
      [...ruleProblems(query)].map((problem) => placed(name, definitions[index], problem)),
    ),
  );
}

function refuse(name: string, details: readonly string[]): void {
  if (details.length === 0) return;
  throw usage(`${name} cannot be written`, { details, hint: 'Nothing was sent.' });
}

function placed(name: string, definition: Definition | undefined, { way, what }: Problem): string {
  const field = way.length === 0 ? 'a prepared query' : way.join('.');
  return definition ? `${name}, line ${definition.lineOf(way)}: ${field}: ${what}` : `${field}: ${what}`;
}

/** A query as a file has it, where what is shown in the place of a token is none: the token is left to stay. */
export const markerless = (query: Members): Members =>
  isMarker(query.Token) ? without(query, 'Token') : query;

/** Warns of what a query that is no template would take for plain text. */
export function warnOfTemplate(io: Pick<Context['io'], 'warn'>, query: Members): void {
  if (looksLikeTemplate(query))
    io.warn(`only a template fills in \${...}; without one it is looked for as it stands`);
}

/**
 * What is written over a query that is there: its token stays where another is not given.
 *
 * @throws LanyardError forbidden: the token is hidden, so that writing would lose it.
 */
export function keepToken(name: string, current: PreparedQuery, next: Members): Members {
  if (next.Token !== undefined || !current.Token) return next;
  if (!isMarker(current.Token)) return { ...next, Token: current.Token };
  throw new LanyardError('forbidden', `the query "${name}" has a token that yours may not see`, {
    service: 'registry',
    hint: 'A write replaces the whole query and would lose it: use a management token, or give the query a token with --token SOURCE (or none: --unset token, or Token: "" in a file).',
  });
}

/** A name for messages, also for a query that has none. */
export const nameOf = ({ Name, ID }: { readonly Name?: unknown; readonly ID?: unknown }): string =>
  String(Name || ID || 'without a name');
