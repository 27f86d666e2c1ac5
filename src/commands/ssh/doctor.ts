import { arg, command, flag } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { connectFlags } from './lib/connect/connection.ts';
import { parseSshArguments } from './lib/connect/ssh-arguments.ts';
import { diagnose } from './lib/doctor/diagnose.ts';
import { readFacts } from './lib/doctor/read-facts.ts';
import { doctorResult } from './lib/doctor/view.ts';

export default command({
  description:
    'Logs in with ssh -v, runs nothing on the host, and shows each check, the first cause and what to do. Logs in as ssh does, with --role as ssh connect does, which may request a certificate or password. With --log or --sshd-config it makes no connection; the exit code is 1 if a cause was found.',
  examples: [
    'lanyard ssh doctor web1 --role deploy',
    'lanyard ssh doctor web1 --log ssh.log --log sshd.log',
    'lanyard ssh doctor ubuntu@localhost --sshd-config /etc/ssh/sshd_config --key id_ed25519-cert.pub',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: {
    host: arg.text('[USER@]HOST', 'destination as for ssh: host name, address or Host of ssh_config'),
    arguments: arg.rest('ARGUMENT', 'after --: ssh options', 0),
  },
  flags: {
    ...connectFlags,
    role: flag.text('ROLE', 'log in as `ssh connect` with this role (default: as ssh)', {
      completes: 'ssh-role',
    }),
    key: flag.file('FILE', 'private key, public key or certificate (default: keys of ssh)'),
    log: flag.texts('FILE|-', 'output of ssh -v or log of sshd, instead of a login; repeatable', {
      completes: 'file',
    }),
    sshdConfig: flag.file('FILE', 'on the host: check this sshd_config, instead of a login'),
  },
  async run({ args, flags }, ctx) {
    if (args.host.startsWith('-') || args.host === '') throw usage(`invalid host "${args.host}"`);
    const sshArguments = parseSshArguments(args.arguments);
    const facts = await readFacts({ host: args.host, flags, sshArguments }, ctx);
    return doctorResult(facts, diagnose(facts), ctx.output.repeatFlags);
  },
});
