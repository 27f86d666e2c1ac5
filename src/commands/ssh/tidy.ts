import { command, showWarnings } from '../../command/command.ts';
import { text } from '../../output/document.ts';
import { mountFlag } from './lib/mount.ts';

export default command({
  description: 'Deletes the host keys of dynamic key roles, which current releases no longer support.',
  examples: ['lanyard ssh tidy'],
  service: 'secrets',
  writes: true,
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    await ctx.input.confirm(`Delete the leftover host keys in ${mount}/? This cannot be undone.`);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.tidyKeys({ mount });
    showWarnings(ctx.output, body);
    const message = body?.data?.message ?? 'Done.';
    return { data: body ?? null, payload: body?.data ?? null, document: [text(message)] };
  },
});
