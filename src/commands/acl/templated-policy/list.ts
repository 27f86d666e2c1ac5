import { command } from '../../../command/command.ts';
import { listResult, strong } from '../../../output/document.ts';

export default command({
  examples: ['lanyard acl templated-policy list'],
  service: 'registry',
  async run(_input, ctx) {
    const { body } = await (await ctx.api.registry()).listTemplatedPolicies({});
    const policies = Object.keys(body)
      .sort()
      .flatMap((name) => body[name] ?? []);
    return listResult(policies, 'No templated policies.', {
      NAME: ({ TemplateName }) => strong(TemplateName),
      VARIABLES: ({ Schema }) => (Schema ? 'name' : null),
      DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
    });
  },
});
