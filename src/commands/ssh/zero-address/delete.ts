import { command, passWarnings } from '../../../command.ts';
import { isNothing, settle } from '../../../errors.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';

export default command({
  description: 'Roles apply only to their own CIDR blocks again.',
  examples: ['lanyard ssh zero-address delete'],
  service: 'secrets',
  writes: true,
  args: {},
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    await ctx.io.confirm(`Delete the zero-address configuration of ${mount}/? This cannot be undone.`);
    const answer = await settle(
      () => secrets.deleteZeroAddress({ mount }),
      async () => {
        try {
          await secrets.readZeroAddress({ mount });
          return { done: false, found: 'the configuration still exists' };
        } catch (error) {
          return { done: isNothing(error), found: 'the configuration could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    return { data: answer?.body ?? null, document: [text('Removed all zero-address roles.')] };
  },
});
