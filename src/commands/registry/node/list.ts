import { command, flag } from '../../../command/command.ts';
import { dim, strong, table } from '../../../output/document.ts';
import { readFlags, readParameters } from '../lib/kv.ts';

export default command({
  examples: ['lanyard registry node list', `lanyard registry node list --filter 'Meta.rack == "a"'`],
  service: 'registry',
  args: {},
  flags: {
    filter: flag.text('EXPR', 'filter expression, such as Meta.rack == "a"'),
    near: flag.name('NODE', 'sort by distance from the node; _agent: from the agent', {
      completes: { live: 'registry-node' },
    }),
    ...readFlags,
  },
  async run({ flags }, ctx) {
    const { filter, near } = flags;
    const registry = await ctx.api.registry();
    const { body: nodes } = await registry.listNodes({ ...readParameters(flags), filter, near });
    return {
      data: nodes,
      rows: nodes,
      isTabular: true,
      document: [
        table(
          ['NAME', 'ADDRESS', { title: 'DATACENTER', optional: 1 }, { title: 'ID', optional: 2 }],
          nodes.map(({ Node, Address, Datacenter, ID }) => [
            [strong(Node)],
            Address,
            Datacenter ?? [dim('-')],
            ID || [dim('-')],
          ]),
          'No nodes.',
        ),
      ],
    };
  },
});
