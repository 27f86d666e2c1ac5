import { command, showWarnings } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { listResult } from '../../../output/document.ts';
import { mountFlag } from '../lib/mount.ts';

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
    const result = listResult(rows, 'No roles. Run `lanyard ssh role put` to create one.', {
      NAME: ({ name }) => name,
      'KEY TYPE': ({ key_type }) => key_type,
    });
    return { ...result, data: body, payload: body.data };
  },
});
