import { command, flag } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import { listResult, strong } from '../../../output/document.ts';
import { listText } from '../lib/catalog.ts';
import { readFlags } from '../lib/kv.ts';

export default command({
  examples: [
    'lanyard registry service list',
    `lanyard registry service list --filter '"prod" in ServiceTags' -o json`,
  ],
  service: 'registry',
  flags: {
    filter: flag.text('EXPR', 'filter expression on instances, such as ServicePort == 80'),
    ...readFlags,
  },
  async run({ flags }, ctx) {
    const parameters = readParameters(flags);
    const registry = await ctx.api.registry();
    const { body } = await registry.listServices({ ...parameters, filter: flags.filter });
    const services = Object.entries(body)
      .map(([Name, tags]) => ({ Name, Tags: tags ?? [] }))
      .sort((one, other) => (one.Name < other.Name ? -1 : 1));
    return listResult(services, 'No services. Run `lanyard registry service register` to register one.', {
      NAME: ({ Name }) => [strong(Name)],
      TAGS: { cell: ({ Tags }) => listText(Tags), shrinkPriority: 1 },
    });
  },
});
