import { arg, command } from '../../command.ts';
import { datacenterFlags, readDatacenters } from './datacenters.ts';
import { childEnvironment, freePorts, start } from './start.ts';

export default command({
  description:
    'They listen on free ports, keep their state in memory, and end with the command. It finds them through its environment: LANYARD_SECRETS_ADDR, LANYARD_SECRETS_TOKEN, VAULT_ADDR and so on. Its exit code is passed on.',
  examples: [
    'lanyard dev run -- ./integration-tests.sh',
    "lanyard dev run -- sh -c 'lanyard status'",
    'lanyard dev run --datacenters dc1,dc2 -- ./failover-tests.sh',
  ],
  patient: true,
  passesThrough: true,
  args: {
    command: arg.rest('COMMAND', 'the command and its arguments, after --', 1, { completes: 'command' }),
  },
  flags: datacenterFlags,
  async run({ args, flags }, ctx) {
    const [name = '', ...rest] = args.command;
    const running = await start({ ports: freePorts, ...readDatacenters(flags) }, ctx);
    try {
      return {
        exitCode: await ctx.runChild({ command: name, args: rest, env: childEnvironment(running, ctx.env) }),
      };
    } finally {
      await running.close();
    }
  },
});
