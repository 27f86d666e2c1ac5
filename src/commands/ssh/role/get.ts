import { arg, command, showWarnings } from '../../../command/command.ts';
import { describeMissingRole } from '../lib/certificate-request.ts';
import { mountFlag } from '../lib/mount.ts';
import { roleView } from '../lib/role-view.ts';

export default command({
  examples: ['lanyard ssh role get deploy', 'lanyard ssh role get deploy --field allowed_users'],
  service: 'secrets',
  args: { role: arg.text('NAME', 'role to show', { completes: 'ssh-role' }) },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .readRole({ mount, role: args.role })
      .catch(describeMissingRole(args.role, mount));
    showWarnings(ctx.output, body);
    return { data: body, payload: body.data, document: roleView(args.role, body.data) };
  },
});
