import { command, showWarnings } from '../../../../command/command.ts';
import { deleteObject } from '../../../../command/delete-object.ts';
import { insteadOf, isForbidden } from '../../../../errors.ts';
import { findMethod, methodArg, requireRole, roleArg, typeFlag } from '../../lib/auth-role/method.ts';

export default command({
  description: 'Existing tokens remain valid; secret IDs of the role are deleted.',
  examples: [
    'lanyard secrets auth role delete approle ci',
    'lanyard secrets auth role delete userpass alice --yes',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets token'],
  args: { method: methodArg, role: roleArg },
  flags: typeFlag,
  async run({ args: { method: given, role: name }, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const method = await findMethod(secrets, given, flags.type);
    const { mount, kind, noun } = method;
    // The service confirms the deletion of a missing role too.
    await requireRole(secrets, method, name).catch(insteadOf(isForbidden, undefined));
    return deleteObject(ctx, noun, name, {
      prompt: `Delete ${noun} "${name}" of auth method "${mount}/"?`,
      remove: () => secrets.deleteAuthRole({ mount, kind, name }),
      read: () => secrets.readAuthRole({ mount, kind, name }),
      data(body) {
        showWarnings(ctx.output, body);
        return { method: mount, name };
      },
    });
  },
});
