import { command, showWarnings } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { mountFlag } from '../lib/mount.ts';
import { rolesView } from '../lib/views.ts';

export default command({
  examples: ['lanyard ssh role list'],
  service: 'secrets',
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await listOrEmpty(secrets.listRoles({ mount: flags.mount }));
    showWarnings(ctx.output, body);
    const { keys, key_info: info } = body.data;
    const rows = keys.map((name) => ({ name, key_type: info?.[name]?.key_type ?? '' }));
    return { data: body, payload: body.data, rows, document: rolesView(rows) };
  },
});
