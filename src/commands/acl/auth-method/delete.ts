import { arg, command } from '../../../command/command.ts';
import { deleteObject } from '../../../command/delete-object.ts';
import { isNotFound } from '../../../errors.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';

export default command({
  description: 'Also deletes the binding rules of the auth method and all tokens of its logins.',
  examples: ['lanyard acl auth-method delete ci', 'lanyard acl auth-method delete ci --yes'],
  service: 'registry',
  writes: 'after reads',
  args: { method: arg.text('METHOD', 'name of the auth method', { completes: 'acl-auth-method' }) },
  flags: { dc: dcFlag },
  async run({ args: { method: name }, flags }, ctx) {
    const method = { name, ...whereFrom(flags) };
    const registry = await ctx.api.registry();
    const read = () => registry.readAuthMethod(method);
    const { body } = await read().catch(describeMissing('auth-method', name));
    return deleteObject(ctx, 'auth method', name, {
      prompt: `Delete auth method "${name}" (${body.Type}), its binding rules and the tokens of its logins?`,
      remove: () => registry.deleteAuthMethod(method).catch(describeMissing('auth-method', name)),
      read,
      isMissing: isNotFound,
      data: () => ({ Name: name }),
    });
  },
});
