import { command, flag } from '../../command.ts';
import { sorted } from './shared.ts';
import { namespacesView } from './views.ts';

export default command({
  examples: ['lanyard namespace list', 'lanyard namespace list --prefix team-'],
  service: 'scheduler',
  args: {},
  flags: { prefix: flag.text('TEXT', 'only names with this prefix') },
  async run({ flags: { prefix } }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.listNamespaces(prefix === undefined ? {} : { prefix });
    const namespaces = (body ?? []).map(sorted);
    return { data: namespaces, rows: namespaces, document: namespacesView(namespaces) };
  },
});
