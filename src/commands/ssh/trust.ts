import { command, flag } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { type Block, code, raw, text } from '../../output/document.ts';
import { describeMissingCa, mountFlag } from './lib/mount.ts';
import { rejectWithoutRevoked, revokedFlags, trustRevoked } from './lib/revoked/trust-revoked.ts';

export default command({
  description:
    'Reads the public key of the CA, without a token, and adds a @cert-authority line to known_hosts (--hosts) or the key to the TrustedUserCAKeys file of sshd (--users). Without them the lines are only printed. --revoked installs the revocation list of sshd and ssh, and never an older one.',
  examples: [
    "lanyard ssh trust --hosts '*.example.com'",
    "lanyard ssh trust --mount hosts --hosts '*.example.com' --known-hosts /etc/ssh/ssh_known_hosts",
    'lanyard ssh trust --users /etc/ssh/trusted-user-ca-keys.pem',
    'lanyard ssh trust --revoked /etc/ssh/revoked-keys.krl --list registry:ssh/revoked',
  ],
  service: 'secrets',
  writes: true,
  changes: ['files'],
  flags: {
    hosts: flag.list('PATTERN', 'host patterns that the CA signs keys for; repeatable'),
    knownHosts: flag.file('FILE', 'known_hosts file (default ~/.ssh/known_hosts)'),
    users: flag.file('FILE', 'TrustedUserCAKeys file'),
    dryRun: flag.boolean('print the lines without writing them'),
    mount: mountFlag,
    ...revokedFlags,
  },
  async run({ flags }, ctx) {
    rejectWithoutRevoked(flags);
    if (flags.revoked !== undefined) {
      if (flags.hosts !== undefined || flags.users !== undefined)
        throw usage('--revoked cannot be combined with --hosts and --users');
      return trustRevoked(flags.revoked, flags, ctx);
    }
    if (flags.knownHosts !== undefined && flags.hosts === undefined)
      throw usage('--known-hosts requires --hosts', {
        hint: "Add --hosts '*' to trust the CA for all hosts.",
      });
    const { mount } = flags;
    const secrets = await ctx.api.secrets();
    const { body: key } = await secrets.publicKey({ mount }).catch(describeMissingCa(mount));
    const configuration = await ctx.ssh.configuration();
    const line = configuration.knownHostsCaLine(flags.hosts ?? ['*'], key);
    configuration.withTrustedKey('', key);
    const printed = flags.hosts === undefined && flags.users === undefined;
    const knownHosts = ctx.files.absolute(flags.knownHosts ?? `${ctx.system.home}/.ssh/known_hosts`);
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
      if (flags.knownHosts === undefined) await ctx.files.createDirectory(`${ctx.system.home}/.ssh`);
      changed.knownHosts = await ctx.files.edit(
        {
          path: knownHosts,
          what: 'the known_hosts file',
          mode: flags.knownHosts === undefined ? 0o600 : 0o644,
        },
        (before) => configuration.withCaLine(before, line),
      );
      document.push(changeNote(knownHosts, changed.knownHosts));
    }
    if (flags.users !== undefined) {
      changed.users = await ctx.files.edit(
        { path: users, what: 'the trusted keys file', mode: 0o644 },
        (before) => configuration.withTrustedKey(before, key),
      );
      document.push(changeNote(users, changed.users), text('Add this line to sshd_config and reload sshd:'));
      document.push(raw(`${sshdLine}\n`));
    }
    return { data: { ...data, changed }, document };
  },
});

const changeNote = (file: string, changed: boolean): Block =>
  changed ? text('Added the CA to ', code(file), '.') : text('The CA is already in ', code(file), '.');

interface TrustLines {
  readonly knownHosts?: { readonly file: string; readonly line: string };
  readonly users?: { readonly file: string; readonly key: string; readonly sshd: readonly string[] };
}

const lines = ({ knownHosts, users }: TrustLines): Block[] => [
  ...(knownHosts
    ? [text('For hosts, add to ', code(knownHosts.file), ':'), raw(`${knownHosts.line}\n`)]
    : []),
  ...(users
    ? [
        ...[text('For users, add to ', code(users.file), ':'), raw(`${users.key}\n`)],
        ...[text('and to sshd_config:'), raw(`${users.sshd.join('\n')}\n`)],
      ]
    : []),
];
