import { command } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { compact } from '../../wire/objects.ts';
import { checkQueries, preserveToken, warnAboutTemplate, withoutPlaceholder } from './lib/check-queries.ts';
import { fieldFlags, fieldsFrom, readToken, unsetFieldsFlag, unsetFrom } from './lib/fields.ts';
import { dcFlag, fileFlag, findQuery, queryArg, queryDisplayName, replaceFlag } from './lib/find-query.ts';
import { mergeFields, omitField, writableFields } from './lib/query-object.ts';
import { readSingleQuery } from './lib/single-query.ts';
import { queryChanges, updatedQuery, updateQuery } from './lib/write-query.ts';

export default command({
  description:
    'Other fields are unchanged; lists and maps are replaced. --unset resets a field to its default.',
  examples: [
    'lanyard query update geo-db --only-passing --failover-datacenter dc2,dc3',
    'lanyard query update geo-db --token env://QUERY_TOKEN',
    'lanyard query update geo-db --name geo-database --unset near,dns-ttl',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { query: queryArg },
  flags: {
    ...fieldFlags,
    unset: unsetFieldsFlag,
    file: fileFlag,
    replace: replaceFlag,
    dc: dcFlag,
  },
  async run({ args, flags }, ctx) {
    const named = [
      ...(flags.file === undefined
        ? []
        : [withoutPlaceholder((await readSingleQuery(flags.file, ctx)).query)]),
      unsetFrom(flags),
      fieldsFrom(flags),
      await readToken(flags, ctx),
    ];
    if (named.every((fields) => Object.keys(fields).length === 0))
      throw usage('nothing to change', { hint: 'Specify fields with their flags, --unset or --file.' });
    const where = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const current = await findQuery(registry, args.query, where);
    const changed = named.reduce(
      mergeFields,
      flags.replace ? {} : omitField(writableFields(current), 'Token'),
    );
    checkQueries(`query "${queryDisplayName(current)}"`, [changed]);
    const next = preserveToken(queryDisplayName(current), current, changed);
    const changes = queryChanges(current, next);
    if (changes.length > 0) {
      warnAboutTemplate(ctx.output, next);
      await updateQuery(registry, current, next, where);
    }
    await ctx.input.yamlEditor.removeIfSaved(flags.file);
    return updatedQuery(current, next, changes);
  },
});
