import { askedDatacenter, requireReadsIn } from '../../../api/registry-datacenter.ts';
import { command } from '../../../command/command.ts';
import { isNotFound } from '../../../errors.ts';
import { listResult, strong } from '../../../output/document.ts';
import { missingService, readMaintenance, serviceFlag } from '../lib/maintenance.ts';

export default command({
  description:
    'The agent is that at the configured address. "registry service get" and "registry node get" show the maintenance of any node of a datacenter.',
  examples: ['lanyard registry maintenance get', 'lanyard registry maintenance get --service web -o json'],
  service: 'registry',
  returnsList: () => true,
  flags: { service: serviceFlag },
  async run({ flags: { service } }, ctx) {
    const registry = await ctx.api.registry();
    await requireReadsIn(
      registry,
      await askedDatacenter(undefined, ctx.api),
      'maintenance',
      'Run `lanyard registry service get NAME` for the instances of a service in any datacenter.',
    );
    if (service !== undefined)
      await registry.readAgentService({ id: service }).catch((error: unknown) => {
        throw isNotFound(error) ? missingService(service, error) : error;
      });
    const all = await readMaintenance(registry);
    // A node in maintenance has all of its services in maintenance.
    const shown = all.filter(({ ServiceID }) => [undefined, service ?? ServiceID].includes(ServiceID));
    return listResult(shown, 'Nothing is in maintenance.', {
      NODE: ({ Node }) => Node ?? null,
      SERVICE: ({ ServiceID }) => [strong(ServiceID ?? '(all)')],
      REASON: { cell: ({ Reason }) => Reason || null, shrinkPriority: 1 },
    });
  },
});
