import { command } from '../../../command/command.ts';
import { templatedPoliciesView } from '../lib/method-views.ts';

export default command({
  examples: ['lanyard acl templated-policy list'],
  service: 'registry',
  async run(_input, ctx) {
    const { body } = await (await ctx.api.registry()).listTemplatedPolicies({});
    const policies = Object.keys(body)
      .sort()
      .flatMap((name) => body[name] ?? []);
    return { data: policies, rows: policies, document: templatedPoliciesView(policies) };
  },
});
