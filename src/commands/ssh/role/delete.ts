import { arg, command, passWarnings } from '../../../command.ts';
import { isNothing, settle } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';

export default command({
  examples: ['lanyard ssh role delete deploy'],
  service: 'secrets',
  writes: true,
  args: { role: arg.text('NAME', 'role to delete') },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    await ctx.io.confirm(`Delete role "${args.role}" of ${mount}/? This cannot be undone.`);
    const answer = await settle(
      () => secrets.deleteRole({ mount, role: args.role }),
      async () => {
        try {
          await secrets.readRole({ mount, role: args.role });
          return { done: false, found: 'the role still exists' };
        } catch (error) {
          return { done: isNothing(error), found: 'the role could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    return { data: answer?.body ?? null, document: [text('Deleted role ', code(args.role), '.')] };
  },
});
