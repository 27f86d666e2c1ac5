import type { ServiceInstance } from '../../../api/registry-catalog.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { readParameters } from '../../../command/consistency-flags.ts';
import { isWatching, watchFlags } from '../../../command/watch-flags.ts';
import { notFound } from '../../../errors.ts';
import { listResult, strong } from '../../../output/document.ts';
import type { Result } from '../../../output/result.ts';
import { showChanges } from '../../../watch/show-changes.ts';
import { addressOf, listText, statusText, worstStatus } from '../lib/catalog.ts';
import { readFlags } from '../lib/kv.ts';
import { instancesSource } from '../lib/sources.ts';

export default command({
  description: 'The status of an instance is the worst of its own checks and the checks of its node.',
  examples: [
    'lanyard registry service get web',
    'lanyard registry service get web --passing --tag prod --near _agent',
    `lanyard registry service get web --passing -o json --select '[].Service.Port'`,
    'lanyard registry service get web --passing --watch',
  ],
  service: 'registry',
  returnsList: () => true,
  args: { name: arg.text('NAME', 'name of the service', { completes: 'registry-service' }) },
  flags: {
    passing: flag.boolean('only instances whose checks all pass'),
    tag: flag.name('TAG', 'only instances with the tag'),
    filter: flag.text('EXPR', 'filter expression, such as Service.Meta.version == "2"'),
    near: flag.name('NODE', 'sort by distance from the node; _agent: from the agent', {
      completes: 'registry-node',
    }),
    ...readFlags,
    ...watchFlags,
  },
  async run({ args: { name }, flags }, ctx) {
    const { passing, tag, filter, near } = flags;
    const which = {
      name,
      ...readParameters(flags),
      passing: passing ? ('' as const) : undefined,
      tag,
      filter,
      near,
    };
    const isSelected = passing || tag !== undefined || filter !== undefined;
    if (isWatching(flags)) {
      const registry = await ctx.api.registry({ retries: 0 });
      const source = instancesSource(registry, which, isSelected);
      const absent = `service "${name}" does not exist`;
      return showChanges(ctx, source, flags, { result: instancesResult, absent });
    }
    const registry = await ctx.api.registry();
    const { body: instances } = await registry.readService(which);
    if (instances.length === 0 && !isSelected)
      throw notFound(`service "${name}" not found`, {
        hint: 'Run `lanyard registry service list` for the existing services.',
      });
    return instancesResult(instances);
  },
});

function instancesResult(instances: readonly ServiceInstance[]): Result<readonly ServiceInstance[]> {
  return {
    ...listResult(instances, 'No instances match.', {
      ID: ({ Service }) => [strong(Service.ID)],
      NODE: ({ Node }) => Node.Node,
      ADDRESS: addressOf,
      STATUS: ({ Checks }) => statusText(worstStatus(Checks ?? [])),
      TAGS: { cell: ({ Service }) => listText(Service.Tags), shrinkPriority: 1 },
    }),
    isTabular: true,
  };
}
