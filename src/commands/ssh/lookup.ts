import { arg, command, showWarnings } from '../../command/command.ts';
import { namesTable } from '../../output/document.ts';
import { mountFlag } from './lib/mount.ts';

export default command({
  description: 'Only roles for one-time passwords are listed.',
  examples: ['lanyard ssh lookup 10.1.2.3'],
  service: 'secrets',
  args: { ip: arg.text('IP', 'IP address of the host') },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.lookupRoles({ mount: flags.mount, ip: args.ip });
    showWarnings(ctx.output, body);
    // A role may be listed twice: for its CIDR blocks and as a zero-address role.
    const roles = [...new Set(body.data.roles ?? [])];
    return {
      data: body,
      payload: body.data,
      rows: roles.map((name) => ({ name })),
      document: [namesTable('NAME', roles, `No roles match ${args.ip}.`)],
    };
  },
});
