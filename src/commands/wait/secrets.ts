import type { SecretsClient } from '../../api/secrets.ts';
import { arg, command } from '../../command/command.ts';
import type { Source } from '../../watch/watch.ts';
import { type Condition, whilePresent } from './lib/conditions.ts';
import { waitFlags, waitFor } from './lib/wait-for.ts';

const stateNames = ['unsealed', 'initialized'] as const;

type Health = Awaited<ReturnType<SecretsClient['health']>>['body'];

const states = {
  initialized: whilePresent(
    'initialized',
    ({ initialized }: Health) => initialized || 'it is not initialized',
  ),
  unsealed: whilePresent('unsealed', ({ initialized, sealed }: Health) => {
    if (!initialized) return 'it is not initialized';
    return !sealed || 'it is sealed';
  }),
} as const satisfies Readonly<Record<(typeof stateNames)[number], Condition<Health>>>;

export default command({
  description:
    'Reads the health status every second until the service is initialized or unsealed, also if it is not reachable yet; needs no token. Expressions apply to the health status. Exits with 8 if the condition is not met within --timeout (see "lanyard help watching").',
  examples: ['lanyard wait secrets unsealed', 'lanyard wait secrets initialized --timeout 5m'],
  service: 'secrets',
  args: { state: arg.choice('STATE', stateNames, 'initialized or unsealed') },
  flags: waitFlags,
  run: ({ args: { state }, flags }, ctx) =>
    waitFor(ctx, flags, {
      name: 'the secrets service',
      source: async (end) => healthSource(await ctx.api.secrets({ signal: end, retries: 0 })),
      otherwise: states[state],
      always: [states[state]],
      data: (health: Health) => health,
    }),
});

/** Watches the health status; it contains the time of the server. */
const healthSource = (secrets: SecretsClient): Source<Health> => ({
  intervalMs: 1000,
  comparable: ({ initialized, sealed, version, standby }) => ({ initialized, sealed, version, standby }),
  read: async () => ({ value: (await secrets.health({})).body }),
});
