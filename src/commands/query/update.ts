import { command, flag } from '../../command.ts';
import { usage } from '../../errors.ts';
import { fieldFlags, fieldsFrom, nameFlag, tokenFrom, unsetFlag, unsetFrom } from './fields.ts';
import { merged, without, writable } from './members.ts';
import {
  checkQueries,
  dcFlag,
  fileFlag,
  findQuery,
  keepToken,
  markerless,
  nameOf,
  queryArg,
  warnOfTemplate,
  whereOf,
} from './shared.ts';
import { oneFrom } from './source.ts';
import { writtenView } from './views.ts';
import { changesTo, updateQuery } from './write.ts';

export default command({
  description:
    'Reads the query, changes the given fields and writes it; other fields are kept. Lists and maps are replaced. --unset resets a field to its default.',
  examples: [
    'lanyard query update geo-db --only-passing --failover-datacenter dc2,dc3',
    'lanyard query update geo-db --name geo-database --unset near,dns-ttl',
    'lanyard query update geo-db --token env://QUERY_TOKEN',
  ],
  service: 'registry',
  writes: true,
  readsFirst: true,
  givesList: () => true,
  args: { query: queryArg },
  flags: {
    ...{ name: nameFlag, ...fieldFlags, unset: unsetFlag, file: fileFlag },
    replace: flag.boolean('reset all other fields to their defaults, except the token'),
    dc: dcFlag,
  },
  async run({ args, flags }, ctx) {
    const named = [
      ...(flags.file === undefined ? [] : [markerless((await oneFrom(flags.file, ctx)).query)]),
      ...unsetFrom(flags.unset ?? []),
      fieldsFrom(flags),
      await tokenFrom(flags.token, ctx.io),
    ];
    if (named.every((fields) => Object.keys(fields).length === 0))
      throw usage('nothing to change', { hint: 'Specify fields with their flags, --unset or --file.' });
    const where = whereOf(flags);
    const registry = await ctx.api.registry();
    const current = await findQuery(registry, args.query, where);
    const changed = named.reduce(merged, flags.replace ? {} : without(writable(current), 'Token'));
    checkQueries(`query "${nameOf(current)}"`, [changed]);
    const next = keepToken(nameOf(current), current, changed);
    const changes = changesTo(current, next);
    if (changes.length > 0) {
      warnOfTemplate(ctx.io, next);
      await updateQuery(registry, current, next, where);
    }
    await ctx.drafts.used(flags.file);
    return {
      data: { ID: current.ID, Name: next.Name ?? '', changes },
      payload: changes,
      document: writtenView({ ...next, ID: current.ID }, changes),
    };
  },
});
