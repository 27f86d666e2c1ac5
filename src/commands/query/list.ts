import { command } from '../../command.ts';
import { shown } from './members.ts';
import { dcFlag, freshFlags, freshOf, isFiltered } from './shared.ts';
import { queriesView } from './views.ts';

export default command({
  description:
    'Queries without a name, other than templates, are listed for management tokens only. Tokens of queries are not shown.',
  examples: ['lanyard query list', "lanyard query list --select '[].{name: Name, service: Service.Service}'"],
  service: 'registry',
  args: {},
  flags: { dc: dcFlag, ...freshFlags },
  async run({ flags }, ctx) {
    const fresh = freshOf(flags);
    const registry = await ctx.api.registry();
    const { body, headers } = await registry.listQueries(fresh);
    if (isFiltered(headers))
      ctx.io.warn('some queries were omitted: the token has no permission to read them');
    const queries = (body ?? []).map(shown);
    return { data: queries, rows: queries, isTabular: true, document: queriesView(queries) };
  },
});
