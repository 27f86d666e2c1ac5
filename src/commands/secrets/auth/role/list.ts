import { command } from '../../../../command/command.ts';
import { listOrEmpty } from '../../../../errors.ts';
import { namesTable } from '../../../../output/document.ts';
import { findMethod, methodArg, typeFlag } from '../../lib/auth-role/method.ts';

export default command({
  description: 'Lists the roles of an auth method, the users of userpass, or the token roles (METHOD token).',
  examples: ['lanyard secrets auth role list approle', 'lanyard secrets auth role list userpass'],
  service: 'secrets',
  args: { method: methodArg },
  flags: typeFlag,
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const { mount, kind, noun } = await findMethod(secrets, args.method, flags.type);
    const { body } = await listOrEmpty(secrets.listAuthRoles({ mount, kind }));
    const names = (body.data.keys ?? []).toSorted();
    const empty = `No ${noun}s. Run \`lanyard secrets auth role put ${mount}\` to create one.`;
    return { data: names, rows: names, document: [namesTable('NAME', names, empty)] };
  },
});
