import { command, flag, passWarnings } from '../../../command.ts';
import { raw } from '../../../output/document.ts';
import { missingCa, mountFlag, mountOf } from '../shared.ts';

export default command({
  examples: ['lanyard ssh ca get', 'lanyard ssh ca get --field public_key >> /etc/ssh/trusted_user_ca_keys'],
  service: 'secrets',
  args: {},
  flags: {
    snapshot: flag.name('ID', 'read it from this loaded snapshot'),
    mount: mountFlag,
  },
  async run({ flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const mount = mountOf(flags);
    const snapshot = flags.snapshot === undefined ? {} : { read_snapshot_id: flags.snapshot };
    const { body } = await secrets.readCa({ mount, ...snapshot }).catch((error: unknown) => {
      throw missingCa(error, mount);
    });
    passWarnings(ctx.io, body);
    return { data: body, payload: body.data, document: [raw(body.data.public_key)] };
  },
});
