import { command, flag } from '../../command/command.ts';
import { listResult, strong } from '../../output/document.ts';
import { sortNamespace } from './lib/find-namespace.ts';

export default command({
  examples: ['lanyard namespace list', 'lanyard namespace list --prefix team-'],
  service: 'scheduler',
  flags: { prefix: flag.text('TEXT', 'only names with this prefix', { completes: 'scheduler-namespace' }) },
  async run({ flags: { prefix } }, ctx) {
    const scheduler = await ctx.api.scheduler();
    const { body } = await scheduler.listNamespaces(prefix === undefined ? {} : { prefix });
    return listResult((body ?? []).map(sortNamespace), 'No namespaces.', {
      NAME: ({ Name }) => [strong(Name)],
      DESCRIPTION: { cell: ({ Description }) => Description || null, shrinkPriority: 1 },
      QUOTA: { cell: ({ Quota }) => Quota || null, shrinkPriority: 2 },
    });
  },
});
