import { command } from '../../command/command.ts';
import { readParameters } from '../../command/consistency-flags.ts';
import { queryArg, queryNotFoundError, readFlags } from './lib/find-query.ts';
import { displayedQuery, queryView } from './lib/views.ts';

export default command({
  description: `Prints the query that executing QUERY would run, with every \${...} filled in. QUERY is a name that matches the template, not the ID of the template.`,
  examples: ['lanyard query explain geo-db-customer', 'lanyard query explain geo-db -o json'],
  service: 'registry',
  args: { query: queryArg },
  flags: readFlags,
  async run({ args, flags }, ctx) {
    const consistency = readParameters(flags);
    const registry = await ctx.api.registry();
    const { body } = await registry
      .explainQuery({ query: args.query, ...consistency })
      .catch(queryNotFoundError(args.query));
    const query = displayedQuery(body.Query);
    return { data: { ...body, Query: query }, payload: query, document: queryView(query) };
  },
});
