import { arg, command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import { adviseDoctor } from './lib/connect/advise-doctor.ts';
import { readRole } from './lib/connect/connect-role.ts';
import { type Access, connectFlags } from './lib/connect/connection.ts';
import { parseSshArguments } from './lib/connect/ssh-arguments.ts';
import { connecting, newAccess, withAccess } from './lib/connect/with-access.ts';
import { signingDefaults } from './lib/defaults.ts';
import { recordChanges } from './lib/record.ts';

export default command({
  description:
    'Uses an in-memory key with a short-lived certificate, or a one-time password that only ssh receives; the role decides, or --mode. Your ssh_config applies: host names, ports, users, jump hosts, shared connections. Returns the exit code of ssh.',
  examples: [
    'lanyard ssh connect ubuntu@web1.example.com --role deploy',
    'lanyard ssh connect web1 --role deploy -- -L 8080:localhost:80',
    'lanyard ssh connect web1 --role deploy --host-ca ssh-hosts -- uptime',
    'lanyard ssh connect ubuntu@10.1.2.3 --role otp --mode otp',
  ],
  service: 'secrets',
  writes: 'after reads',
  handlesSignals: true,
  hasNoResult: true,
  changes: ['files', 'ssh files', ...recordChanges],
  args: {
    host: arg.text('[USER@]HOST', 'destination as for ssh: host name, address or Host of ssh_config'),
    arguments: arg.rest('ARGUMENT', 'after --: ssh options and a command', 0),
  },
  flags: connectFlags,
  async run({ args, flags }, ctx) {
    const client = await ctx.ssh.client();
    if (args.host.startsWith('-')) throw usage(`invalid host "${args.host}"`);
    const argv = [args.host, ...args.arguments];
    const { mount } = flags;
    const { role: name, principals } = await signingDefaults(flags, ctx);
    // The client of the service is loaded while ssh prints its settings.
    const [settings] = await Promise.all([client.resolveSettings(argv, connecting), ctx.api.secrets()]);
    // An open shared connection needs no credentials.
    if (!ctx.output.isDryRun && (await client.hasSharedConnection(argv, settings)))
      return runSsh(argv, newAccess(settings), ctx);
    const role = await readRole(mount, name, flags.mode, ctx);
    const parts = { client, settings, mount, role, host: args.host, flags: { ...flags, principals } };
    const sshArguments = parseSshArguments(args.arguments);
    const ran = await withAccess({ ...parts, arguments: sshArguments }, 'credentials', ctx, (access) =>
      runSsh(argv, access, ctx),
    );
    if (ran.exitCode === sshFailure) await adviseDoctor(args.host, name, flags, sshArguments, ctx);
    return ran;
  },
});

/** The exit code of ssh if it could not log in, or of a command that ends with it. */
const sshFailure = 255;

async function runSsh(argv: readonly string[], access: Access, ctx: Context) {
  const args = [...access.options.flatMap((option) => ['-o', option]), ...argv];
  const started = (pid: number): void => {
    access.pid = pid;
  };
  return { exitCode: await ctx.system.runChild({ command: 'ssh', args, env: access.env, onStart: started }) };
}
