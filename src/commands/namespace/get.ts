import { command } from '../../command/command.ts';
import { formatValue } from '../../output/diff.ts';
import { fieldsResult, strong } from '../../output/document.ts';
import { checkName, describeMissingNamespace, nameArg, sortNamespace } from './lib/find-namespace.ts';

export default command({
  examples: ['lanyard namespace get team-a', 'lanyard namespace get team-a --field Meta.owner'],
  service: 'scheduler',
  args: { name: nameArg },
  async run({ args: { name } }, ctx) {
    checkName(name);
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.readNamespace({ namespace: name }).catch(describeMissingNamespace(name));
    const namespace = sortNamespace(body);
    const { Name, Description, Quota, Meta, Capabilities } = namespace;
    return fieldsResult(namespace, [
      ['name', [strong(Name)]],
      ['description', Description || null],
      ['quota', Quota || undefined],
      ...Object.entries(Meta ?? {}).map(([key, value]) => [`meta ${key}`, value] as const),
      ['capabilities', Capabilities ? formatValue(Capabilities) : undefined],
    ]);
  },
});
