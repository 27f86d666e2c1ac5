import { command, flag } from '../../../command/command.ts';
import { raw } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { describeMissingTemplate, templateArg } from '../lib/templated-policy.ts';

export default command({
  description: 'Nothing is stored: a templated policy is linked with --templated-policy TEMPLATE:NAME.',
  examples: [
    'lanyard acl templated-policy preview builtin/service --name web',
    'lanyard acl templated-policy preview builtin/dns',
  ],
  service: 'registry',
  args: { template: templateArg },
  flags: { name: flag.name('NAME', 'value of the variable "name", if the template has it') },
  async run({ args: { template }, flags }, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry
      .previewTemplatedPolicy({ template, ...compact({ name: flags.name }) })
      .catch(describeMissingTemplate(template));
    return { data: body, document: [raw(`${(body.Rules ?? '').trim()}\n`)] };
  },
});
