import { command, flag } from '../../command/command.ts';
import { sortNamespace } from './lib/find-namespace.ts';
import { namespacesView } from './lib/views.ts';

export default command({
  examples: ['lanyard namespace list', 'lanyard namespace list --prefix team-'],
  service: 'scheduler',
  flags: {
    prefix: flag.text('TEXT', 'only names with this prefix', { completes: { live: 'scheduler-namespace' } }),
  },
  async run({ flags: { prefix } }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.listNamespaces(prefix === undefined ? {} : { prefix });
    const namespaces = (body ?? []).map(sortNamespace);
    return { data: namespaces, rows: namespaces, document: namespacesView(namespaces) };
  },
});
