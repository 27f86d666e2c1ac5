import { command, flag, showWarnings } from '../../../cli/command.ts';
import { text } from '../../../output/document.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description: 'Restores the CA key pair from a loaded snapshot and replaces the current CA.',
  examples: ['lanyard ssh ca recover --snapshot 2b5f3a1e'],
  service: 'secrets',
  writes: true,
  args: {},
  flags: { snapshot: flag.required('ID', 'loaded snapshot'), mount: mountFlag },
  async run({ flags }, ctx) {
    const { mount } = flags;
    await ctx.input.confirm(
      `Replace the CA key pair of ${mount}/ with that of snapshot ${flags.snapshot}? This cannot be undone.`,
    );
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.recoverCa({ mount, snapshot: flags.snapshot });
    showWarnings(ctx.output, body);
    return {
      data: body ?? null,
      document: [text(`Restored the CA of ${mount}/ from snapshot ${flags.snapshot}.`)],
    };
  },
});
