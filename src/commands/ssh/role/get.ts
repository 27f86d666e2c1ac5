import { arg, command, showWarnings } from '../../../cli/command.ts';
import { isEmptyListError, notFound } from '../../../errors.ts';
import { mountFlag, mountOf } from '../lib/mount.ts';
import { roleView } from '../lib/views.ts';

export default command({
  examples: ['lanyard ssh role get deploy', 'lanyard ssh role get deploy --field allowed_users'],
  service: 'secrets',
  args: { role: arg.text('NAME', 'role to show') },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    try {
      const { body } = await secrets.readRole({ mount, role: args.role });
      showWarnings(ctx.output, body);
      return { data: body, payload: body.data, document: roleView(args.role, body.data) };
    } catch (error) {
      if (!isEmptyListError(error)) throw error;
      throw notFound(`role "${args.role}" not found in ${mount}/`, {
        service: 'secrets',
        status: 404,
        hint: 'Run `lanyard ssh role list` for the existing roles.',
      });
    }
  },
});
