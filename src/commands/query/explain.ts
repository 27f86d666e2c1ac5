import { command } from '../../command.ts';
import { shown } from './members.ts';
import { dcFlag, freshFlags, freshOf, missing, queryArg } from './shared.ts';
import { queryView } from './views.ts';

export default command({
  description: `Prints the query that executing QUERY would run, with every \${...} filled in. QUERY is a name that matches the template, not the ID of the template.`,
  examples: ['lanyard query explain geo-db-customer', 'lanyard query explain geo-db -o json'],
  service: 'registry',
  args: { query: queryArg },
  flags: { dc: dcFlag, ...freshFlags },
  async run({ args, flags }, ctx) {
    const fresh = freshOf(flags);
    const registry = await ctx.api.registry();
    const { body } = await registry.explainQuery({ query: args.query, ...fresh }).catch(missing(args.query));
    const query = shown(body.Query);
    return { data: { ...body, Query: query }, payload: query, document: queryView(query) };
  },
});
