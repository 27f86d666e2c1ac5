import { command, flag } from '../../../command/command.ts';
import { dim, strong, table } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { delayText } from '../lib/session.ts';

export default command({
  description: 'Sessions that the token may not read are missing.',
  examples: ['lanyard registry session list', 'lanyard registry session list --node web-1 -o json'],
  service: 'registry',
  args: {},
  flags: {
    node: flag.name('NAME', 'only sessions of the node', { completes: { live: 'registry-node' } }),
    dc: flag.datacenter('datacenter'),
  },
  async run({ flags: { node, ...flags } }, ctx) {
    const dc = compact({ dc: flags.dc });
    const registry = await ctx.api.registry();
    const { body } =
      node === undefined ? await registry.listSessions(dc) : await registry.listNodeSessions({ node, ...dc });
    const sessions = body ?? [];
    return {
      data: sessions,
      rows: sessions,
      isTabular: true,
      document: [
        table(
          [
            'ID',
            { title: 'NAME', shrinkPriority: 1 },
            { title: 'NODE', shrinkPriority: 2 },
            { title: 'TTL', optional: 1 },
            { title: 'LOCK DELAY', optional: 2 },
            { title: 'BEHAVIOR', optional: 3 },
          ],
          sessions.map((session) => [
            [strong(session.ID)],
            session.Name || [dim('-')],
            session.Node,
            session.TTL || [dim('-')],
            delayText(session),
            session.Behavior,
          ]),
          'No sessions.',
        ),
      ],
    };
  },
});
