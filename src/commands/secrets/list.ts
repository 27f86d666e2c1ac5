import { arg, command, showWarnings } from '../../command/command.ts';
import { listOrEmpty } from '../../errors.ts';
import { namesTable } from '../../output/document.ts';
import { parsePathQuery } from './lib/path-query.ts';

export default command({
  examples: ['lanyard secrets list ssh/roles', 'lanyard secrets list sys/policies/acl'],
  service: 'secrets',
  args: { path: arg.text('PATH', 'mount and directory, such as ssh/roles', { completes: 'secrets-path' }) },
  async run({ args }, ctx) {
    const secrets = await ctx.api.secrets();
    const { path, ...query } = parsePathQuery(args.path);
    const { body } = await listOrEmpty(secrets.list({ path: path.replace(/\/$/, ''), ...query }));
    showWarnings(ctx.output, body);
    const names = body.data.keys ?? [];
    return {
      data: body,
      payload: body.data,
      rows: names,
      document: [namesTable('NAME', names, 'No entries.')],
    };
  },
});
