import { arg, command, flag } from '../../../cli/command.ts';
import { notFound } from '../../../errors.ts';
import { strong, table } from '../../../output/document.ts';
import { addressOf, listText, statusText, worstStatus } from '../lib/catalog.ts';
import { readFlags, readParameters } from '../lib/kv.ts';

export default command({
  description:
    'Lists the instances of a service with their health: the worst status of the checks of the instance and of its node.',
  examples: [
    'lanyard registry service get web',
    'lanyard registry service get web --passing --tag prod --near _agent',
    `lanyard registry service get web --passing -o json --select '[].Service.Port'`,
  ],
  service: 'registry',
  returnsList: () => true,
  args: { name: arg.text('NAME', 'name of the service', { completes: { live: 'registry-service' } }) },
  flags: {
    passing: flag.boolean('only instances whose checks all pass'),
    tag: flag.name('TAG', 'only instances with the tag'),
    filter: flag.text('EXPR', 'filter expression, such as Service.Meta.version == "2"'),
    near: flag.name('NODE', 'sort by distance from the node; _agent: from the agent', {
      completes: { live: 'registry-node' },
    }),
    ...readFlags,
  },
  async run({ args: { name }, flags }, ctx) {
    const { passing, tag, filter, near } = flags;
    const registry = await ctx.api.registry();
    const { body: instances } = await registry.readService({
      name,
      ...readParameters(flags),
      passing: passing ? '' : undefined,
      tag,
      filter,
      near,
    });
    const isSelected = passing || tag !== undefined || filter !== undefined;
    if (instances.length === 0 && !isSelected)
      throw notFound(`service "${name}" not found`, {
        hint: 'Run `lanyard registry service list` for the existing services.',
      });
    return {
      data: instances,
      rows: instances,
      isTabular: true,
      document: [
        table(
          ['ID', 'NODE', 'ADDRESS', 'STATUS', { title: 'TAGS', shrinkPriority: 1 }],
          instances.map((instance) => [
            [strong(instance.Service.ID)],
            instance.Node.Node,
            addressOf(instance),
            statusText(worstStatus(instance.Checks ?? [])),
            listText(instance.Service.Tags),
          ]),
          'No instances match.',
        ),
      ],
    };
  },
});
