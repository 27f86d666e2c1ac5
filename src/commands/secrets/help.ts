import { command, flag } from '../../command/command.ts';
import { notFound } from '../../errors.ts';
import { raw, rawLine } from '../../output/document.ts';
import { formatJson } from '../../wire/json.ts';
import { pathArg, rejectQuery } from './lib/path-query.ts';

export default command({
  examples: ['lanyard secrets help ssh/roles', 'lanyard secrets help ssh --openapi > ssh.json'],
  service: 'secrets',
  args: { path: pathArg },
  flags: { openapi: flag.boolean('print the OpenAPI document of the path as JSON') },
  async run({ args, flags }, ctx) {
    rejectQuery('GET', args.path);
    const { body } = await (await ctx.api.secrets()).help({ path: args.path });
    if (flags.openapi) {
      if (!body.openapi)
        throw notFound(`OpenAPI document of path "${args.path}" not found`, { service: 'secrets' });
      return { data: body.openapi, document: [raw(`${formatJson(body.openapi, 2)}\n`)] };
    }
    return { data: body, document: [rawLine(body.help)] };
  },
});
