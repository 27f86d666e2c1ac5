import { command, showWarnings } from '../../../../command/command.ts';
import { findMethod, methodArg, requireRole, roleArg, typeFlag } from '../../lib/auth-role/method.ts';
import { authRoleView } from '../../lib/auth-role/role-view.ts';

export default command({
  examples: [
    'lanyard secrets auth role get approle ci',
    'lanyard secrets auth role get approle ci --field token_policies',
  ],
  service: 'secrets',
  args: { method: methodArg, role: roleArg },
  flags: typeFlag,
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const method = await findMethod(secrets, args.method, flags.type);
    const body = await requireRole(secrets, method, args.role);
    showWarnings(ctx.output, body);
    return { data: body, payload: body.data, document: authRoleView(args.role, body.data) };
  },
});
