import { arg, command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { fieldFlags, fieldsFrom, nameFlag, tokenFrom } from './fields.ts';
import { merged } from './members.ts';
import { checkQueries, dcFlag, fileFlag, nameOf, warnOfTemplate, whereOf } from './shared.ts';
import { nameGiven, oneFrom } from './source.ts';
import { createQuery } from './write.ts';

export default command({
  description:
    'Uses flags, or a file with the field names of the API; flags override the file. Fails if a query with the name already exists.',
  examples: [
    "lanyard query create geo-db --service mysql --only-passing --tag primary --tag '!slow' --failover-nearest 3 --failover-datacenter dc2",
    `lanyard query create geo-db- --template name_prefix_match --regexp '^geo-db-(.*)$' --service 'mysql-\${match(1)}'`,
    'lanyard query create --file geo-db.yaml --token env://QUERY_TOKEN',
  ],
  service: 'registry',
  writes: true,
  args: { name: arg.optional('NAME', 'name of the query; also --name') },
  flags: { name: nameFlag, ...fieldFlags, file: fileFlag, dc: dcFlag },
  async run({ args, flags }, ctx) {
    const fromFlags = fieldsFrom({ ...flags, name: nameGiven(args.name, flags.name) });
    const file = flags.file === undefined ? undefined : await oneFrom(flags.file, ctx);
    const query = { ...merged(file?.query ?? {}, fromFlags), ...(await tokenFrom(flags.token, ctx.io)) };
    checkQueries(file?.name ?? 'query', [query], file?.definitions);
    warnOfTemplate(ctx.io, query);
    const registry = await ctx.api.registry();
    const id = await createQuery(registry, query, whereOf(flags));
    return {
      data: { ID: id },
      document: [text('Created query ', code(nameOf({ ...query, ID: id })), ': ', id)],
    };
  },
});
