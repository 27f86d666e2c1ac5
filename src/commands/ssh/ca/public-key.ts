import { command } from '../../../command/command.ts';
import { rawLine } from '../../../output/document.ts';
import { describeMissingCa, mountFlag } from '../lib/mount.ts';

export default command({
  description: 'Hosts need this key to trust user certificates, and users to trust host certificates.',
  examples: ['lanyard ssh ca public-key > /etc/ssh/trusted_user_ca_keys'],
  service: 'secrets',
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.publicKey({ mount }).catch(describeMissingCa(mount));
    return { data: body, document: [rawLine(body)] };
  },
});
