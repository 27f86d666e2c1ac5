import { command, showWarnings } from '../../../command/command.ts';
import { confirmDelete } from '../../../errors.ts';
import { textResult } from '../../../output/document.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description: 'Roles apply only to their own CIDR blocks again.',
  examples: ['lanyard ssh zero-address delete'],
  service: 'secrets',
  writes: true,
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    await ctx.input.confirm(`Delete the zero-address configuration of ${mount}/? This cannot be undone.`);
    const response = await confirmDelete(
      () => secrets.deleteZeroAddress({ mount }),
      () => secrets.readZeroAddress({ mount }),
      'the configuration',
    );
    showWarnings(ctx.output, response?.body);
    return textResult(response?.body ?? null, 'Removed all zero-address roles.');
  },
});
