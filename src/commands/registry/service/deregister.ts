import { askedDatacenter, requireAgentIn } from '../../../api/registry-datacenter.ts';
import { arg, command } from '../../../command/command.ts';
import { confirmDelete, isNotFound, LanyardError, notFound } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';

export default command({
  description:
    'Removes the service and its checks from the agent at the configured address and from the catalog.',
  examples: ['lanyard registry service deregister web', 'lanyard registry service deregister web-2 --yes'],
  service: 'registry',
  writes: true,
  args: { id: arg.text('ID', 'ID of the service, not its name', { completes: 'registry-agent-service' }) },
  async run({ args: { id } }, ctx) {
    const registry = await ctx.api.registry();
    await requireAgentIn(registry, await askedDatacenter(undefined, ctx.api), 'services');
    await ctx.input.confirm(`Deregister service "${id}"?`);
    await confirmDelete(
      () => registry.deregisterService({ id }).catch(describeMissing(id)),
      () => registry.readAgentService({ id }),
      'the service',
      isNotFound,
    );
    return textResult({ ID: id }, 'Deregistered service ', code(id), '.');
  },
});

const describeMissing =
  (id: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw notFound(`the agent has no service with ID "${id}"`, {
      ...error,
      details: [],
      hint: 'Run `lanyard registry service get NAME` for the IDs and nodes of its instances.',
    });
  };
