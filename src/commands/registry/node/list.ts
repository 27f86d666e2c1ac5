import { command, flag } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import { listResult, strong } from '../../../output/document.ts';
import { readFlags } from '../lib/kv.ts';

export default command({
  examples: ['lanyard registry node list', `lanyard registry node list --filter 'Meta.rack == "a"'`],
  service: 'registry',
  flags: {
    filter: flag.text('EXPR', 'filter expression, such as Meta.rack == "a"'),
    near: flag.name('NODE', 'sort by distance from the node; _agent: from the agent', {
      completes: 'registry-node',
    }),
    ...readFlags,
  },
  async run({ flags }, ctx) {
    const { filter, near } = flags;
    const registry = await ctx.api.registry();
    const { body: nodes } = await registry.listNodes({ ...readParameters(flags), filter, near });
    return {
      ...listResult(nodes, 'No nodes.', {
        NAME: ({ Node }) => [strong(Node)],
        ADDRESS: ({ Address }) => Address,
        DATACENTER: { cell: ({ Datacenter }) => Datacenter ?? null, optional: 1 },
        ID: { cell: ({ ID }) => ID || null, optional: 2 },
      }),
      isTabular: true,
    };
  },
});
