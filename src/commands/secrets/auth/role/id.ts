import { command } from '../../../../command/command.ts';
import { fieldsResult, strong } from '../../../../output/document.ts';
import { methodArg, roleArg } from '../../lib/auth-role/method.ts';
import { describeMissingAppRole } from '../../lib/auth-role/secret-ids.ts';
import { authMethods, mountPath } from '../../lib/mounts.ts';

export default command({
  description:
    'Shows the role ID of a role of an approle method, which logins require besides a secret ID. It is not a secret. "secrets auth role put --role-id" changes it.',
  examples: [
    'lanyard secrets auth role id approle ci',
    'lanyard secrets auth role id approle ci --field role_id --out role-id.txt',
  ],
  service: 'secrets',
  args: { method: methodArg, role: roleArg },
  async run({ args }, ctx) {
    const mount = mountPath(authMethods, args.method);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .readRoleId({ mount, name: args.role })
      .catch(describeMissingAppRole({ mount, name: args.role }));
    return fieldsResult(body.data, [['role ID', strong(body.data.role_id)]]);
  },
});
