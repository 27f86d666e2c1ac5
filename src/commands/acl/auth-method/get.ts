import { arg, command } from '../../../command/command.ts';
import { withoutSecrets } from '../lib/auth-method.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { methodView } from '../lib/method-views.ts';

export default command({
  description: 'Client secrets and service account tokens are redacted.',
  examples: ['lanyard acl auth-method get ci', 'lanyard acl auth-method get ci -o yaml > ci.yaml'],
  service: 'registry',
  args: { method: arg.text('METHOD', 'name of the auth method', { completes: { live: 'acl-auth-method' } }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry
      .readAuthMethod({ name: args.method, ...whereFrom(flags) })
      .catch(describeMissing('auth-method', args.method));
    const method = withoutSecrets(body);
    return { data: method, document: methodView(method) };
  },
});
