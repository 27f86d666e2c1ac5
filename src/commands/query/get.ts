import { command } from '../../command.ts';
import { shown } from './members.ts';
import { dcFlag, findQuery, freshFlags, freshOf, queryArg } from './shared.ts';
import { queryView } from './views.ts';

export default command({
  description:
    'The token of the query is not shown. The output of "-o yaml" can be edited and written with "query put --file"; the token is kept.',
  examples: ['lanyard query get geo-db', 'lanyard query get geo-db -o yaml > geo-db.yaml'],
  service: 'registry',
  args: { query: queryArg },
  flags: { dc: dcFlag, ...freshFlags },
  async run({ args, flags }, ctx) {
    const fresh = freshOf(flags);
    const query = shown(await findQuery(await ctx.api.registry(), args.query, fresh));
    return { data: query, document: queryView(query) };
  },
});
