import { command, flag } from '../../command.ts';
import { usage } from '../../errors.ts';
import { type Block, code, raw, text } from '../../output/document.ts';
import { missingCa, mountFlag, mountOf } from './shared.ts';

export default command({
  description:
    'Takes the public key of the CA, without a token, and lets this machine trust it. For hosts: a @cert-authority line of known_hosts, so that host keys which the CA signed are known. For users: the file that sshd’s TrustedUserCAKeys names, so that users whose keys the CA signed may log in. A line that is there is not added again, and no other is touched. Without --hosts and --users the lines are printed only.',
  examples: [
    "lanyard ssh trust --hosts '*.example.com'",
    "lanyard ssh trust --mount hosts --hosts '*.example.com' --known-hosts /etc/ssh/ssh_known_hosts",
    'lanyard ssh trust --users /etc/ssh/trusted-user-ca-keys.pem',
  ],
  service: 'secrets',
  writes: true,
  args: {},
  flags: {
    hosts: flag.list('PATTERN', 'the hosts whose keys the CA signs, as known_hosts has them; repeatable'),
    knownHosts: flag.text('FILE', 'the known_hosts file (default ~/.ssh/known_hosts)', { completes: 'file' }),
    users: flag.text('FILE', 'the file of TrustedUserCAKeys', { completes: 'file' }),
    dryRun: flag.boolean('print the lines, and write nothing'),
    mount: mountFlag,
  },
  async run({ flags }, ctx) {
    if (flags.knownHosts !== undefined && flags.hosts === undefined) {
      throw usage('--known-hosts needs --hosts: a CA is trusted for named hosts', {
        hint: "All of them: --hosts '*'.",
      });
    }
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    const { body: key } = await secrets.publicKey({ mount }).catch((error: unknown) => {
      throw missingCa(error, mount);
    });
    const configuration = await ctx.sshConfiguration();
    const line = configuration.caLine(flags.hosts ?? ['*'], key);
    configuration.withTrustedKey('', key);
    const printed = flags.hosts === undefined && flags.users === undefined;
    const knownHosts = ctx.files.absolute(flags.knownHosts ?? `${ctx.home}/.ssh/known_hosts`);
    const users = ctx.files.absolute(flags.users ?? '/etc/ssh/trusted-user-ca-keys.pem');
    const sshdLine = `TrustedUserCAKeys ${users}`;
    const data = {
      ...(printed || flags.hosts ? { knownHosts: { file: knownHosts, line } } : {}),
      ...(printed || flags.users ? { users: { file: users, key: key.trimEnd(), sshd: [sshdLine] } } : {}),
    };
    if (printed || flags.dryRun) return { data, document: lines(data) };

    const changed: Record<string, boolean> = {};
    const document: Block[] = [];
    if (flags.hosts) {
      if (flags.knownHosts === undefined) await ctx.files.makeFolder(`${ctx.home}/.ssh`);
      changed.knownHosts = await ctx.files.edit(
        {
          path: knownHosts,
          what: 'the known_hosts file',
          mode: flags.knownHosts === undefined ? 0o600 : 0o644,
        },
        (before) => configuration.withCaLine(before, line),
      );
      document.push(said(knownHosts, changed.knownHosts));
    }
    if (flags.users !== undefined) {
      changed.users = await ctx.files.edit(
        { path: users, what: 'the file of trusted keys', mode: 0o644 },
        (before) => configuration.withTrustedKey(before, key),
      );
      document.push(
        said(users, changed.users),
        text('sshd_config has to have this line; reload sshd after it:'),
      );
      document.push(raw(`${sshdLine}\n`));
    }
    return { data: { ...data, changed }, document };
  },
});

const said = (file: string, changed: boolean): Block =>
  changed
    ? text('The CA is trusted now in ', code(file), '.')
    : text('The CA was trusted already in ', code(file), '.');

interface Lines {
  readonly knownHosts?: { readonly file: string; readonly line: string };
  readonly users?: { readonly file: string; readonly key: string; readonly sshd: readonly string[] };
}

const lines = ({ knownHosts, users }: Lines): Block[] => [
  ...(knownHosts
    ? [text('For hosts, a line of ', code(knownHosts.file), ':'), raw(`${knownHosts.line}\n`)]
    : []),
  ...(users
    ? [
        ...[text('For users, a line of ', code(users.file), ':'), raw(`${users.key}\n`)],
        ...[text('and of sshd_config:'), raw(`${users.sshd.join('\n')}\n`)],
      ]
    : []),
];
