import { command } from '../../command/command.ts';
import { consistencyFlags, consistencyOf, dcFlag, findQuery, queryArg } from './lib/find-query.ts';
import { displayedQuery, queryView } from './lib/views.ts';

export default command({
  description:
    'The token of the query is not shown. The output of "-o yaml" can be edited and written with "query put --file"; the token is unchanged.',
  examples: ['lanyard query get geo-db', 'lanyard query get geo-db -o yaml > geo-db.yaml'],
  service: 'registry',
  args: { query: queryArg },
  flags: { dc: dcFlag, ...consistencyFlags },
  async run({ args, flags }, ctx) {
    const consistency = consistencyOf(flags);
    const query = displayedQuery(await findQuery(await ctx.api.registry(), args.query, consistency));
    return { data: query, document: queryView(query) };
  },
});
