import { arg, command, showWarnings } from '../../../command/command.ts';
import { confirmDelete } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  examples: ['lanyard ssh role delete deploy'],
  service: 'secrets',
  writes: true,
  args: { role: arg.text('NAME', 'role to delete', { completes: { live: 'ssh-role' } }) },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    await ctx.input.confirm(`Delete role "${args.role}" of ${mount}/? This cannot be undone.`);
    const response = await confirmDelete(
      () => secrets.deleteRole({ mount, role: args.role }),
      () => secrets.readRole({ mount, role: args.role }),
      'the role',
    );
    showWarnings(ctx.output, response?.body);
    return { data: response?.body ?? null, document: [text('Deleted role ', code(args.role), '.')] };
  },
});
