import { arg, command, showWarnings } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  examples: ['lanyard ssh role delete deploy'],
  service: 'secrets',
  writes: true,
  args: { role: arg.text('NAME', 'role to delete', { completes: 'ssh-role' }) },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    return deleteObject(ctx, 'role', args.role, {
      prompt: `Delete role "${args.role}" of ${mount}/?`,
      remove: () => secrets.deleteRole({ mount, role: args.role }),
      read: () => secrets.readRole({ mount, role: args.role }),
      data(body) {
        showWarnings(ctx.output, body);
        return body;
      },
    });
  },
});
