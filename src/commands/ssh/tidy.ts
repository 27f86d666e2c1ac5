import { command, passWarnings } from '../../command.ts';
import { text } from '../../output/document.ts';
import { mountFlag, mountOf } from './shared.ts';

export default command({
  description: 'Removes host keys that the dynamic keys of old releases left behind.',
  service: 'secrets',
  writes: true,
  args: {},
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const mount = mountOf(flags);
    await ctx.io.confirm(`Remove the host keys that are left over in ${mount}/?`);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.tidyKeys({ mount });
    passWarnings(ctx.io, body);
    const said = body?.data?.message ?? 'Done.';
    return { data: body ?? null, payload: body?.data ?? null, document: [text(said)] };
  },
});
