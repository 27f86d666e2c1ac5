import { askedDatacenter, requireAgentIn } from '../../../api/registry-datacenter.ts';
import { command, flag } from '../../../command/command.ts';
import { changeMaintenance, serviceFlag } from '../lib/maintenance.ts';

export default command({
  description:
    'Adds a critical check to the node of the agent at the configured address, or to one of its services, so that health queries and DNS leave out its instances. It stays until maintenance is disabled, also after a restart of the agent.',
  examples: [
    'lanyard registry maintenance enable --service web --reason "deploy 42"',
    'lanyard registry maintenance enable --reason "kernel update"',
  ],
  service: 'registry',
  writes: 'after reads',
  changes: ['registry service', 'registry node'],
  flags: {
    service: serviceFlag,
    reason: flag.text('TEXT', 'reason, which others see (default: a text of the agent)'),
  },
  async run({ flags }, ctx) {
    const registry = await ctx.api.registry();
    await requireAgentIn(registry, await askedDatacenter(undefined, ctx.api), 'maintenance');
    return changeMaintenance(registry, { ...flags, enable: true }, ctx);
  },
});
