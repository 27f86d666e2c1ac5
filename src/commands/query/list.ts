import { command } from '../../command/command.ts';
import { readParameters } from '../../command/consistency-flags.ts';
import { readFlags } from './lib/find-query.ts';
import { displayedQuery, queriesView } from './lib/views.ts';

export default command({
  description:
    'Queries without a name, other than templates, are listed for management tokens only. Tokens of queries are not shown.',
  examples: ['lanyard query list', "lanyard query list --select '[].{name: Name, service: Service.Service}'"],
  service: 'registry',
  flags: readFlags,
  async run({ flags }, ctx) {
    const consistency = readParameters(flags);
    const registry = await ctx.api.registry();
    const { body } = await registry.listQueries(consistency);
    const queries = (body ?? []).map(displayedQuery);
    return { data: queries, rows: queries, isTabular: true, document: queriesView(queries) };
  },
});
