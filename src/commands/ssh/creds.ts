import { command, flag, showWarnings } from '../../command/command.ts';
import { fields, strong } from '../../output/document.ts';
import { humanDuration } from '../../output/humanize.ts';
import { describeSignError } from './lib/certificate-request.ts';
import { roleArg, signingDefaults } from './lib/defaults.ts';
import { mountFlag } from './lib/mount.ts';

export default command({
  description:
    'The password is shown once and can be used once, by a host that verifies it with the service. It expires with its lease.',
  examples: [
    'lanyard ssh creds otp --ip 10.1.2.3',
    'lanyard ssh creds otp --ip 10.1.2.3 --username ubuntu --field key',
  ],
  service: 'secrets',
  writes: true,
  changes: ['secrets lease'],
  args: { role: roleArg('role of key type otp') },
  flags: {
    ip: flag.required('IP', 'IP address of the host'),
    username: flag.text('USER', 'user to log in as (default: set by the role)'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const { mount } = flags;
    const { role } = await signingDefaults({ mount, role: args.role }, ctx);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .createCredentials({ mount, role, ip: flags.ip, username: flags.username })
      .catch(describeSignError(role, mount));
    ctx.output.mask(body.data.key);
    showWarnings(ctx.output, body);
    const { key, username, ip, port } = body.data;
    return {
      data: body,
      payload: body.data,
      document: [
        fields([
          ['one-time password', strong(key)],
          ['for', `${username}@${ip}${port === undefined || port === 22 ? '' : `, port ${port}`}`],
          ['lease', body.lease_id || undefined],
          ['expires in', body.lease_duration ? humanDuration(body.lease_duration) : undefined],
        ]),
      ],
    };
  },
});
