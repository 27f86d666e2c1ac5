import { arg, command, passWarnings } from '../../command.ts';
import { table } from '../../output/document.ts';
import { mountFlag, mountOf } from './shared.ts';

export default command({
  description: 'The roles that give one-time passwords for a host, by its address.',
  service: 'secrets',
  args: { ip: arg.text('IP', 'address of the host') },
  flags: { mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.lookupRoles({ mount: mountOf(flags), ip: args.ip });
    passWarnings(ctx.io, body);
    // A role may come twice: by its blocks, and as a zero-address role.
    const roles = [...new Set(body.data.roles ?? [])];
    return {
      data: body,
      payload: body.data,
      rows: roles.map((name) => ({ name })),
      document: [
        table(
          ['NAME'],
          roles.map((name) => [name]),
          `No role is for ${args.ip}.`,
        ),
      ],
    };
  },
});
