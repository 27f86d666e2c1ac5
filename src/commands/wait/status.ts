import type { Probe } from '../../api/probe.ts';
import { arg, command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError } from '../../errors.ts';
import type { Source } from '../../watch/watch.ts';
import { type ServiceName, serviceNames } from '../../wire/services.ts';
import { type Condition, whilePresent } from './lib/conditions.ts';
import { waitFlags, waitFor } from './lib/wait-for.ts';

type Status = Omit<Probe, 'tokenKind'> & { readonly service: ServiceName };

const fields = ['service', 'address', 'state', 'product', 'version', 'token', 'tokenValidUntil', 'problem'];

/** A standby whose token could be checked, or needs none, serves requests too. */
const isOk: Condition<Status> = whilePresent(
  'ok',
  ({ state, problem, token }: Status) =>
    state === 'ok' ||
    (state === 'standby' && (problem === null || token === 'not accepted' || token === 'expired')) ||
    (problem ?? `its state is ${state}`),
);

export default command({
  description:
    'Without --for it waits until the service serves requests (its state in "status" is ok, or standby without a problem), whether or not it accepts the token. The state is read every second, for box and accounts every 10s. Exits with 8 if the condition is not met within --timeout (see "lanyard help watching").',
  examples: [
    'lanyard wait status registry',
    `lanyard wait status secrets --for "token == 'valid'" --timeout 5m`,
  ],
  service: 'any',
  args: { service: arg.choice('SERVICE', serviceNames, serviceNames.join(', ')) },
  flags: waitFlags,
  run: ({ args: { service }, flags }, ctx) =>
    waitFor(ctx, flags, {
      name: `service ${service}`,
      source: async () => statusSource(service, ctx),
      otherwise: isOk,
      data: (status: Status) => status,
      fields,
    }),
});

/** Watches the status of a service. One that is unreachable is an error. */
const statusSource = (service: ServiceName, { api }: Pick<Context, 'api'>): Source<Status> => ({
  intervalMs: service === 'box' || service === 'accounts' ? 10_000 : 1000,
  read: async () => {
    const { tokenKind: _kind, ...status } = await api.probe(service);
    if (status.state === 'unreachable')
      throw new LanyardError('unreachable', status.problem ?? `the ${service} service is unreachable`, {
        service,
      });
    return { value: { service, ...status } };
  },
});
