import type { ServiceInstance } from '../../api/registry-catalog.ts';
import { arg, command, flag } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { compact } from '../../wire/objects.ts';
import { worstStatus } from '../registry/lib/catalog.ts';
import { instancesSource } from '../registry/lib/sources.ts';
import { type Condition, whilePresent } from './lib/conditions.ts';
import { waitFlags, waitFor } from './lib/wait-for.ts';

type Instances = readonly ServiceInstance[];

export default command({
  description:
    'Waits until at least --passing instances pass all checks: their own and the checks of their nodes. Expressions apply to the list of instances as in "registry service get -o json". Exits with 8 if the condition is not met within --timeout (see "lanyard help watching").',
  examples: [
    'lanyard wait service web',
    'lanyard wait service web --passing 1 --tag prod --stable 1s --timeout 5m',
    `lanyard wait service web --for "[?Service.Port]"`,
  ],
  service: 'registry',
  returnsList: () => true,
  args: { name: arg.text('NAME', 'name of the service', { completes: 'registry-service' }) },
  flags: {
    passing: flag.integer('N', 'number of instances that must pass all checks (default 1 without --for)'),
    tag: flag.name('TAG', 'only instances with the tag'),
    ...waitFlags,
    dc: flag.datacenter('datacenter'),
  },
  async run({ args: { name }, flags }, ctx) {
    const { passing, tag, dc } = flags;
    if (passing === 0)
      throw usage('--passing must be greater than zero', { hint: 'Use --for absent for no instances.' });
    return waitFor(ctx, flags, {
      name: `service "${name}"`,
      source: async (end) => {
        const which = { name, tag, ...compact({ dc }) };
        return instancesSource(await ctx.api.registry({ signal: end, retries: 0 }), which, false);
      },
      otherwise: passingInstances(1),
      always: passing === undefined ? [] : [passingInstances(passing)],
      data: (instances: Instances) => instances,
    });
  },
});

const passingInstances = (minimum: number): Condition<Instances> =>
  whilePresent(`${minimum} passing ${minimum === 1 ? 'instance' : 'instances'}`, (instances) => {
    const count = instances.filter(({ Checks }) => worstStatus(Checks ?? []) === 'passing').length;
    return count >= minimum || `${count} of ${instances.length} instances are passing`;
  });
