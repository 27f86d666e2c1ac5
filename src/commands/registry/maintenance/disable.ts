import { askedDatacenter, requireAgentIn } from '../../../api/registry-datacenter.ts';
import { command } from '../../../command/command.ts';
import { changeMaintenance, serviceFlag } from '../lib/maintenance.ts';

export default command({
  description:
    'Removes the check that "lanyard registry maintenance enable" added. Other critical checks still keep an instance out of health queries.',
  examples: ['lanyard registry maintenance disable --service web', 'lanyard registry maintenance disable'],
  service: 'registry',
  writes: 'after reads',
  changes: ['registry service', 'registry node'],
  flags: { service: serviceFlag },
  async run({ flags: { service } }, ctx) {
    const registry = await ctx.api.registry();
    await requireAgentIn(registry, await askedDatacenter(undefined, ctx.api), 'maintenance');
    return changeMaintenance(registry, { service, enable: false }, ctx);
  },
});
