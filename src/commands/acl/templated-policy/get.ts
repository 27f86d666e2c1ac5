import { command } from '../../../command/command.ts';
import { fields, raw, strong } from '../../../output/document.ts';
import { describeMissingTemplate, templateArg } from '../lib/templated-policy.ts';

export default command({
  examples: ['lanyard acl templated-policy get builtin/service'],
  service: 'registry',
  args: { template: templateArg },
  async run({ args: { template: name } }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry.readTemplatedPolicy({ name }).catch(describeMissingTemplate(name));
    return {
      data: body,
      document: [
        fields([
          ['name', strong(body.TemplateName)],
          ['description', body.Description || null],
          ['variables', body.Schema ? 'name' : null],
        ]),
        raw(`\n${(body.Template ?? '').trim()}\n`),
      ],
    };
  },
});
