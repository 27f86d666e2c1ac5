import { arg, command } from '../../../command/command.ts';
import { formatValue } from '../../../output/diff.ts';
import { fieldsResult, strong } from '../../../output/document.ts';
import { withoutSecrets } from '../lib/auth-method.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';

export default command({
  description: 'Client secrets and service account tokens are redacted.',
  examples: ['lanyard acl auth-method get ci', 'lanyard acl auth-method get ci -o yaml > ci.yaml'],
  service: 'registry',
  args: { method: arg.text('METHOD', 'name of the auth method', { completes: 'acl-auth-method' }) },
  flags: { dc: dcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry
      .readAuthMethod({ name: args.method, ...whereFrom(flags) })
      .catch(describeMissing('auth-method', args.method));
    const method = withoutSecrets(body);
    return fieldsResult(method, [
      ['name', strong(method.Name)],
      ['type', method.Type],
      ['display name', method.DisplayName || undefined],
      ['description', method.Description || null],
      ['tokens', method.TokenLocality || 'local'],
      ['max TTL', method.MaxTokenTTL || 'unlimited'],
      ...Object.entries(method.Config ?? {}).map(
        ([name, value]) => [name, typeof value === 'string' ? value : formatValue(value)] as const,
      ),
    ]);
  },
});
