import { command } from '../../command/command.ts';
import { deleteObject } from '../../command/delete-object.ts';
import { isNotFound } from '../../errors.ts';
import { compact } from '../../wire/objects.ts';
import { dcFlag, findQuery, queryArg, queryDisplayName, queryNotFoundError } from './lib/find-query.ts';

export default command({
  examples: [
    'lanyard query delete geo-db',
    'lanyard query delete 5e1e24e5-1329-f86f-18c6-3d3734edb2cd --yes',
  ],
  service: 'registry',
  writes: 'after reads',
  args: { query: queryArg },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const where = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const query = await findQuery(registry, args.query, where);
    const name = queryDisplayName(query);
    return deleteObject(ctx, 'query', name, {
      prompt: `Delete prepared query "${name}" (${query.ID})?`,
      remove: () => registry.deleteQuery({ query: query.ID, ...where }).catch(queryNotFoundError(args.query)),
      read: () => registry.readQuery({ query: query.ID, ...where }),
      isMissing: isNotFound,
      data: () => ({ ID: query.ID, Name: query.Name ?? '' }),
    });
  },
});
