import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { LanyardError, usage } from '../../errors.ts';
import type { Access, Connection } from './connect/access.ts';
import { readArguments } from './connect/arguments.ts';
import { withCertificate } from './connect/ca.ts';
import { trustHostCa } from './connect/host-ca.ts';
import { withPassword } from './connect/otp.ts';
import { type Mode, readRole } from './connect/role.ts';
import { mountFlag, mountOf } from './shared.ts';

export default command({
  description:
    'Logs in with a certificate for a key that is only in memory, or with a one-time password that is only handed to ssh. The role says which, or --mode. Your ssh_config holds: host names, ports, users, jump hosts, shared connections. The exit code is that of ssh.',
  examples: [
    'lanyard ssh connect deploy@web1.example.com --role deploy',
    'lanyard ssh connect web1 --role deploy -- -L 8080:localhost:80',
    'lanyard ssh connect web1 --role deploy --host-ca ssh-hosts -- uptime',
    'lanyard ssh connect ubuntu@10.1.2.3 --role otp --mode otp',
  ],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  patient: true,
  passesThrough: true,
  args: {
    host: arg.text('[USER@]HOST', 'where to, as ssh takes it: a name, an address, a Host of your ssh_config'),
    arguments: arg.rest('ARGUMENT', 'options of ssh, and the command to run there, after --', 0),
  },
  flags: {
    role: flag.text('ROLE', 'the role (default: LANYARD_SSH_ROLE)'),
    mode: flag.choice<Mode>(['ca', 'otp'], 'how to log in (default: what the role is for)'),
    hostCa: flag.text(
      'PATH',
      'trust only hosts whose key the CA of the SSH engine mounted there has signed (default: your known_hosts)',
    ),
    principals: flag.list('A,B', 'principals of the certificate (default: the user)'),
    ttl: flag.duration('how long the certificate lets in (default 2m)'),
    extension: flag.map('K[=V]', 'an extension besides those that the arguments need; repeatable'),
    key: flag.text('FILE', 'sign this key of yours instead of one in memory', { completes: 'file' }),
    agentKey: flag.boolean('sign the first key of your ssh-agent instead of one in memory'),
    ip: flag.text('IP', 'address for the one-time password (default: that of the host)'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const client = await ctx.sshClient();
    if (args.host.startsWith('-')) throw usage(`"${args.host}" is not a host`);
    const argv = [args.host, ...args.arguments];
    const mount = mountOf(flags);
    const name = flags.role ?? ctx.env.LANYARD_SSH_ROLE;
    if (!name) {
      throw usage('it is not said with which role to log in', {
        hint: 'Give --role ROLE or set LANYARD_SSH_ROLE; "lanyard ssh role list" shows those there are.',
      });
    }
    // What talks to the service is loaded while ssh answers.
    const [settings] = await Promise.all([client.settings(argv), ctx.api.secrets()]);
    const access: Access = { options: [], env: {}, endings: [] };
    // A connection that is open already asks for no credentials.
    if (!ctx.rehearsal && (await client.isShared(argv, settings))) return runSsh(argv, access, ctx);
    const role = await readRole(mount, name, flags.mode, ctx);
    const folder = await ctx.temporaryFolder('lanyard-connect-');
    access.endings.push(folder.remove);
    const connection: Connection = {
      ...{ client, settings, mount, role, access, folder: folder.path, host: args.host },
      ...{ arguments: readArguments(args.arguments), flags },
    };
    try {
      if (flags.hostCa !== undefined) await trustHostCa(flags.hostCa, connection, ctx);
      await (role.mode === 'otp' ? withPassword : withCertificate)(connection, ctx);
      if (ctx.signal.aborted) throw new LanyardError('interrupted', 'interrupted');
      return await runSsh(argv, access, ctx);
    } finally {
      for (const end of access.endings.toReversed()) await end();
    }
  },
});

async function runSsh(argv: readonly string[], access: Access, ctx: Context) {
  const args = [...access.options.flatMap((option) => ['-o', option]), ...argv];
  const started = (pid: number): void => {
    access.pid = pid;
  };
  return { exitCode: await ctx.runChild({ command: 'ssh', args, env: access.env, started }) };
}
