import { command, flag } from '../../../command/command.ts';
import { listResult, strong } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { delayText } from '../lib/session.ts';

export default command({
  description: 'Sessions that the token may not read are missing.',
  examples: ['lanyard registry session list', 'lanyard registry session list --node web-1 -o json'],
  service: 'registry',
  flags: {
    node: flag.name('NAME', 'only sessions of the node', { completes: 'registry-node' }),
    dc: flag.datacenter('datacenter'),
  },
  async run({ flags: { node, ...flags } }, ctx) {
    const dc = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const { body } =
      node === undefined ? await registry.listSessions(dc) : await registry.listNodeSessions({ node, ...dc });
    const sessions = body ?? [];
    return {
      ...listResult(sessions, 'No sessions.', {
        ID: ({ ID }) => [strong(ID)],
        NAME: { cell: ({ Name }) => Name || null, shrinkPriority: 1 },
        NODE: { cell: ({ Node }) => Node, shrinkPriority: 2 },
        TTL: { cell: ({ TTL }) => TTL || null, optional: 1 },
        'LOCK DELAY': { cell: delayText, optional: 2 },
        BEHAVIOR: { cell: ({ Behavior }) => Behavior, optional: 3 },
      }),
      isTabular: true,
    };
  },
});
