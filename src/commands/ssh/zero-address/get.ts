import { command, showWarnings } from '../../../command/command.ts';
import { isEmptyListError } from '../../../errors.ts';
import { namesTable } from '../../../output/document.ts';
import { mountFlag } from '../lib/mount.ts';

const view = (roles: readonly string[]) => [namesTable('NAME', roles, 'No zero-address roles.')];

export default command({
  description: 'Zero-address roles issue one-time passwords for any IP address.',
  examples: ['lanyard ssh zero-address get'],
  service: 'secrets',
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const secrets = await ctx.api.secrets();
    try {
      const { body } = await secrets.readZeroAddress({ mount: flags.mount });
      showWarnings(ctx.output, body);
      const roles = body.data.roles ?? [];
      return { data: body, payload: body.data, rows: roles.map((name) => ({ name })), document: view(roles) };
    } catch (error) {
      // A configuration that was never written is a 404 without a message.
      if (!isEmptyListError(error)) throw error;
      return { data: { data: { roles: [] } }, payload: { roles: [] }, rows: [], document: view([]) };
    }
  },
});
