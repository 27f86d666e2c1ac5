import { command, showWarnings } from '../../../cli/command.ts';
import { isEmptyListError } from '../../../errors.ts';
import { mountFlag, mountOf } from '../lib/mount.ts';
import { rolesView } from '../lib/views.ts';

export default command({
  examples: ['lanyard ssh role list'],
  service: 'secrets',
  args: {},
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const secrets = await ctx.api.secrets();
    try {
      const { body } = await secrets.listRoles({ mount: mountOf(flags) });
      showWarnings(ctx.output, body);
      const rows = body.data.keys.map((name) => ({
        name,
        key_type: body.data.key_info?.[name]?.key_type ?? '',
      }));
      return { data: body, payload: body.data, rows, document: rolesView(rows) };
    } catch (error) {
      // An empty list is a 404 without a message.
      if (!isEmptyListError(error)) throw error;
      return { data: { data: { keys: [] } }, payload: { keys: [] }, rows: [], document: rolesView([]) };
    }
  },
});
