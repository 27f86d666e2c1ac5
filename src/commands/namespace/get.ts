import { command } from '../../command/command.ts';
import { checkName, describeMissingNamespace, nameArg, sortNamespace } from './lib/find-namespace.ts';
import { namespaceView } from './lib/views.ts';

export default command({
  examples: ['lanyard namespace get team-a', 'lanyard namespace get team-a --field Meta.owner'],
  service: 'scheduler',
  args: { name: nameArg },
  async run({ args: { name } }, ctx) {
    checkName(name);
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.readNamespace({ namespace: name }).catch(describeMissingNamespace(name));
    const namespace = sortNamespace(body);
    return { data: namespace, document: namespaceView(namespace) };
  },
});
