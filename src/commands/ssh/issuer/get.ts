import { arg, command, showWarnings } from '../../../command/command.ts';
import { fields, strong } from '../../../output/document.ts';
import { describeIssuerError } from '../lib/ca/issuer.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description: 'Hosts that trust the public key accept user certificates of the issuer.',
  examples: [
    'lanyard ssh issuer get',
    'lanyard ssh issuer get 2026 --field public_key >> /etc/ssh/trusted_user_ca_keys',
  ],
  service: 'secrets',
  args: {
    issuer: arg.optional('ISSUER', 'name or ID of the issuer (default: the default issuer)', {
      completes: 'ssh-issuer',
    }),
  },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const issuer = args.issuer ?? 'default';
    const { body } = await secrets.readIssuer({ mount, issuer }).catch(describeIssuerError(mount, issuer));
    showWarnings(ctx.output, body);
    const { issuer_id, issuer_name = '', public_key } = body.data;
    return {
      data: body,
      payload: body.data,
      document: [
        fields([
          ['name', [strong(issuer_name === '' ? '-' : issuer_name)]],
          ['ID', issuer_id],
          ['public key', public_key.trim()],
        ]),
      ],
    };
  },
});
