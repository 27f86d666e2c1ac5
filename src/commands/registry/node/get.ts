import { arg, command } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import { notFound } from '../../../errors.ts';
import { fields, listTable, strong } from '../../../output/document.ts';
import { addressOf, listText, statusText, worstStatus } from '../lib/catalog.ts';
import { readFlags } from '../lib/kv.ts';

export default command({
  description: 'Its services and checks are shown too.',
  examples: ['lanyard registry node get web-1', 'lanyard registry node get web-1 -o json --select Checks'],
  service: 'registry',
  args: { name: arg.text('NAME', 'name of the node', { completes: 'registry-node' }) },
  flags: readFlags,
  async run({ args: { name }, flags }, ctx) {
    const parameters = { name, ...readParameters(flags) };
    const registry = await ctx.api.registry();
    const [{ body }, { body: checks }] = await Promise.all([
      registry.readNode(parameters),
      registry.readNodeChecks(parameters),
    ]);
    if (!body)
      throw notFound(`node "${name}" not found`, {
        hint: 'Run `lanyard registry node list` for the existing nodes.',
      });
    const { Node } = body;
    const services = Object.values(body.Services ?? {});
    const checksOf = (id: string) => checks.filter(({ ServiceID }) => (ServiceID || '') === id);
    return {
      data: { ...body, Checks: checks },
      document: [
        fields([
          ['name', [strong(Node.Node)]],
          ['address', Node.Address],
          ['datacenter', Node.Datacenter ?? null],
          ['status', statusText(worstStatus(checksOf('')))],
          ...Object.entries(Node.Meta ?? {}).map(([key, value]) => [`meta ${key}`, value] as const),
        ]),
        listTable(services, 'No services.', {
          SERVICE: ({ Service }) => [strong(Service)],
          ID: ({ ID }) => ID,
          ADDRESS: (Service) => addressOf({ Node, Service }),
          STATUS: ({ ID }) => statusText(worstStatus([...checksOf(''), ...checksOf(ID)])),
          TAGS: { cell: ({ Tags }) => listText(Tags), shrinkPriority: 1 },
        }),
      ],
    };
  },
});
