import { command, passWarnings } from '../../../command.ts';
import { isNothing, settle } from '../../../errors.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';

export default command({
  description: 'Each role is for the addresses of its own blocks again.',
  service: 'secrets',
  writes: true,
  args: {},
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    await ctx.io.confirm(`Delete the zero-address configuration of ${mount}/?`);
    const answer = await settle(
      () => secrets.deleteZeroAddress({ mount }),
      async () => {
        try {
          await secrets.readZeroAddress({ mount });
          return { done: false, found: 'the configuration is still there' };
        } catch (error) {
          return { done: isNothing(error), found: 'the configuration could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    return { data: answer?.body ?? null, document: [text('No role is for any address any more.')] };
  },
});
