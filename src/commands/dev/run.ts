import { arg, command } from '../../command/command.ts';
import { compact } from '../../wire/objects.ts';
import { datacenterFlags, readDatacenters } from './lib/datacenters.ts';
import { rateLimitFlags, readRateLimits } from './lib/rate-limits.ts';
import { childEnvironment, freePorts, startServices } from './lib/start-dev.ts';

export default command({
  description:
    'Starts the services on free ports with state in memory, and stops them when the command exits. Sets LANYARD_SECRETS_ADDR, LANYARD_SECRETS_TOKEN, VAULT_ADDR and similar variables in the environment of the command. Returns its exit code.',
  examples: [
    'lanyard dev run -- lanyard status',
    'lanyard dev run -- ./integration-tests.sh',
    'lanyard dev run --datacenters dc1,dc2 -- ./failover-tests.sh',
    'lanyard dev run --rate-limit accounts=boundary -- ./integration-tests.sh',
  ],
  handlesSignals: true,
  hasNoResult: true,
  args: { command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }) },
  flags: { ...datacenterFlags, ...rateLimitFlags },
  async run({ args, flags }, ctx) {
    const [name = '', ...rest] = args.command;
    const running = await startServices(
      {
        ports: freePorts,
        ...readDatacenters(flags),
        ...compact({ rateLimits: readRateLimits(flags.rateLimit) }),
      },
      ctx,
    );
    try {
      return {
        exitCode: await ctx.system.runChild({
          command: name,
          args: rest,
          env: childEnvironment(running, ctx.system.env),
        }),
      };
    } finally {
      await running.close();
    }
  },
});
