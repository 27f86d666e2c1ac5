import { ignoredParameters } from '../../../api/conditions/secrets.ts';
import { command, flag, showWarnings } from '../../../command/command.ts';
import { LanyardError } from '../../../errors.ts';
import { raw } from '../../../output/document.ts';
import { describeMissingCa, mountFlag } from '../lib/mount.ts';

export default command({
  examples: ['lanyard ssh ca get', 'lanyard ssh ca get --field public_key >> /etc/ssh/trusted_user_ca_keys'],
  service: 'secrets',
  flags: { snapshot: flag.name('ID', 'loaded snapshot to read from'), mount: mountFlag },
  async run({ flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { mount } = flags;
    const snapshot = flags.snapshot === undefined ? {} : { read_snapshot_id: flags.snapshot };
    const { body } = await secrets.readCa({ mount, ...snapshot }).catch(describeMissingCa(mount));
    if (flags.snapshot !== undefined && ignoredParameters(body).includes('read_snapshot_id'))
      throw new LanyardError(
        'failure',
        `cannot read the CA from snapshot "${flags.snapshot}": the service does not support snapshots`,
        { service: 'secrets', details: body.warnings ?? [] },
      );
    showWarnings(ctx.output, body);
    return { data: body, payload: body.data, document: [raw(body.data.public_key)] };
  },
});
