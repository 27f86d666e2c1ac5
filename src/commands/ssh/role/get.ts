import { arg, command, passWarnings } from '../../../command.ts';
import { isNothing, notFound } from '../../../errors.ts';
import { mountFlag, mountOf } from '../shared.ts';
import { roleView } from '../views.ts';

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
      passWarnings(ctx.io, body);
      return { data: body, payload: body.data, document: roleView(args.role, body.data) };
    } catch (error) {
      if (!isNothing(error)) throw error;
      throw notFound(`role "${args.role}" not found in ${mount}/`, {
        service: 'secrets',
        status: 404,
        hint: 'Run `lanyard ssh role list` for the existing roles.',
      });
    }
  },
});
