import { isMissingSecretId } from '../../../../../api/conditions/secrets.ts';
import { arg, command, showWarnings } from '../../../../../command/command.ts';
import { confirmDelete, insteadOf, isForbidden } from '../../../../../errors.ts';
import { code, textResult } from '../../../../../output/document.ts';
import { methodArg, roleArg } from '../../../lib/auth-role/method.ts';
import { findSecretId } from '../../../lib/auth-role/secret-ids.ts';
import { authMethods, mountPath } from '../../../lib/mounts.ts';

export default command({
  description: 'Deletes a secret ID, given by its accessor. Tokens of its logins remain valid.',
  examples: ['lanyard secrets auth role secret-id destroy approle ci "$SECRET_ID_ACCESSOR"'],
  service: 'secrets',
  writes: 'after reads',
  args: {
    method: methodArg,
    role: roleArg,
    accessor: arg.text('ACCESSOR', 'accessor of the secret ID'),
  },
  async run({ args: { method, role: name, accessor } }, ctx) {
    const path = { mount: mountPath(authMethods, method), name };
    const named = { ...path, secret_id_accessor: accessor };
    const secrets = await ctx.api.secrets();
    await findSecretId(secrets, path, accessor).catch(insteadOf(isForbidden, undefined));
    await ctx.input.confirm(
      `Destroy secret ID ${accessor} of role "${name}"? Logins with it will fail. This cannot be undone.`,
    );
    const response = await confirmDelete(
      () => secrets.destroySecretId(named),
      () => secrets.lookUpSecretId(named),
      'the secret ID',
      isMissingSecretId,
    );
    showWarnings(ctx.output, response?.body);
    return textResult({ secret_id_accessor: accessor }, 'Destroyed secret ID ', code(accessor), '.');
  },
});
