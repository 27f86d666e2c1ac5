import { command } from '../../../command/command.ts';
import { namesTable } from '../../../output/document.ts';

export default command({
  description: 'The order is by the estimated round trip time from the agent, with the nearest first.',
  examples: ['lanyard registry datacenter list'],
  service: 'registry',
  async run(_input, ctx) {
    const registry = await ctx.api.registry();
    const { body } = await registry.listDatacenters({});
    return { data: body, rows: body, document: [namesTable('DATACENTER', body, 'No datacenters.')] };
  },
});
