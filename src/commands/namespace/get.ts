import { command } from '../../command.ts';
import { checkName, missing, nameArg, sorted } from './shared.ts';
import { namespaceView } from './views.ts';

export default command({
  examples: ['lanyard namespace get team-a', 'lanyard namespace get team-a --field Meta.owner'],
  service: 'scheduler',
  args: { name: nameArg },
  flags: {},
  async run({ args: { name } }, ctx) {
    checkName(name);
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.readNamespace({ namespace: name }).catch(missing(name));
    const namespace = sorted(body);
    return { data: namespace, document: namespaceView(namespace) };
  },
});
