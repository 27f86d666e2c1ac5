import { arg, command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import type { ClientSettings } from '../../ssh/types.ts';
import { connectVariable } from '../../wire/ssh-connect.ts';
import { accessWithCertificate } from './lib/connect/ca-login.ts';
import { readRole } from './lib/connect/connect-role.ts';
import { type Access, type Connection, connectFlags } from './lib/connect/connection.ts';
import { accessWithPassword } from './lib/connect/otp-login.ts';
import { applyRevocationList } from './lib/connect/revocation.ts';
import { parseSshArguments } from './lib/connect/ssh-arguments.ts';
import { trustHostCa } from './lib/connect/trust-host-ca.ts';

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
  changes: ['files', 'ssh files'],
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
    const name = flags.role ?? ctx.system.env.LANYARD_SSH_ROLE;
    if (!name)
      throw usage('no role specified', {
        hint: 'Add --role ROLE or set LANYARD_SSH_ROLE. Run `lanyard ssh role list` for the existing roles.',
      });
    // The client of the service is loaded while ssh prints its settings.
    const [settings] = await Promise.all([client.resolveSettings(argv, connecting), ctx.api.secrets()]);
    const access: Access = {
      options: [],
      env: isDirect(settings) ? { ...connecting } : {},
      endings: [],
    };
    // An open shared connection needs no credentials.
    if (!ctx.output.isDryRun && (await client.hasSharedConnection(argv, settings)))
      return runSsh(argv, access, ctx);
    const role = await readRole(mount, name, flags.mode, ctx);
    const folder = await ctx.system.createTemporaryDirectory('lanyard-connect-');
    access.endings.push(folder.remove);
    const rejectRevoked = await applyRevocationList(
      { access, folder: folder.path, settings, flags },
      ctx,
    ).catch(async (error: unknown) => {
      await folder.remove();
      throw error;
    });
    const connection: Connection = {
      client,
      settings,
      mount,
      role,
      access,
      folder: folder.path,
      host: args.host,
      arguments: parseSshArguments(args.arguments),
      flags,
      rejectRevoked,
    };
    try {
      if (flags.hostCa !== undefined) await trustHostCa(flags.hostCa, connection, ctx);
      await (role.mode === 'otp' ? accessWithPassword : accessWithCertificate)(connection, ctx);
      return await runSsh(argv, access, ctx);
    } finally {
      for (const end of access.endings.toReversed()) await end();
    }
  },
});

/** Whether ssh connects directly. Other ssh clients, for jump hosts, need the certificates of `ssh config`. */
const isDirect = ({ value }: ClientSettings): boolean =>
  ['proxycommand', 'proxyjump'].every((name) => (value(name) ?? 'none') === 'none');

const connecting = { [connectVariable]: '1' };

async function runSsh(argv: readonly string[], access: Access, ctx: Context) {
  const args = [...access.options.flatMap((option) => ['-o', option]), ...argv];
  const started = (pid: number): void => {
    access.pid = pid;
  };
  return { exitCode: await ctx.system.runChild({ command: 'ssh', args, env: access.env, onStart: started }) };
}
