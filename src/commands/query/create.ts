import { arg, command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { compact } from '../../wire/objects.ts';
import { checkQueries, warnAboutTemplate } from './lib/check-queries.ts';
import { fieldFlags, fieldsFrom, readToken } from './lib/fields.ts';
import { dcFlag, fileFlag, queryDisplayName } from './lib/find-query.ts';
import { mergeFields } from './lib/query-object.ts';
import { readSingleQuery, resolveName } from './lib/single-query.ts';
import { createQuery } from './lib/write-query.ts';

export default command({
  description:
    'Takes flags, or a file with the field names of the API; flags override the file. Fails if a query with the name already exists.',
  examples: [
    "lanyard query create geo-db --service mysql --only-passing --tag primary --tag '!slow' --failover-nearest 3 --failover-datacenter dc2",
    `lanyard query create geo-db- --template name_prefix_match --regexp '^geo-db-(.*)$' --service 'mysql-\${match(1)}'`,
    'lanyard query create --file geo-db.yaml --token env://QUERY_TOKEN',
  ],
  service: 'registry',
  writes: true,
  args: { name: arg.optional('NAME', 'name of the query; also --name') },
  flags: { ...fieldFlags, file: fileFlag, dc: dcFlag },
  async run({ args, flags }, ctx) {
    const fromFlags = fieldsFrom({ ...flags, name: resolveName(args.name, flags.name) });
    const file = flags.file === undefined ? undefined : await readSingleQuery(flags.file, ctx);
    const query = {
      ...mergeFields(file?.query ?? {}, fromFlags),
      ...(await readToken(flags, ctx)),
    };
    checkQueries(file?.name ?? 'query', [query], file?.definitions);
    warnAboutTemplate(ctx.output, query);
    const registry = await ctx.api.registry();
    const id = await createQuery(registry, query, compact({ dc: flags.dc }));
    return textResult({ ID: id }, 'Created query ', code(queryDisplayName({ ...query, ID: id })), ': ', id);
  },
});
