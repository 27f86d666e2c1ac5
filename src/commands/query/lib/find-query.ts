import { isMissingQuery } from '../../../api/conditions/registry.ts';
import { isFiltered } from '../../../api/filtered-results.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { PreparedQuery } from '../../../api/registry-queries.ts';
import { arg, flag } from '../../../command/command.ts';
import { consistencyFlags } from '../../../command/consistency-flags.ts';
import { describeAs, notFound, usage } from '../../../errors.ts';

export const queryArg = arg.text('QUERY', 'name or ID of the query', { completes: 'query' });
export const dcFlag = flag.datacenter('datacenter');
export const replaceFlag = flag.boolean('reset all other fields to their defaults, except the token');
export const fileFlag = flag.file('FILE|-', 'fields as JSON or YAML; - for standard input');

export const readFlags = { dc: dcFlag, ...consistencyFlags } as const;

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

export const queryDisplayName = ({ Name, ID }: { readonly Name?: unknown; readonly ID?: unknown }): string =>
  String(Name || ID || '(unnamed)');
