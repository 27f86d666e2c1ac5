import { command, flag, toKebabCase } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { mountFlag } from './lib/mount.ts';
import { rejectWithoutRevoked, revokedFlags, trustRevoked } from './lib/revoked/trust-revoked.ts';
import { removeTrust } from './lib/trust/remove.ts';
import { readCaKeys } from './lib/trust/sources.ts';
import { installTrust, trustLines, trustTargets, trustView } from './lib/trust/targets.ts';

export default command({
  description:
    'Reads the public keys of all CAs of the mount, during a rotation the old and the new one, and adds @cert-authority lines to known_hosts (--hosts) or the keys to the TrustedUserCAKeys file of sshd (--users); without both, prints them. --revoked installs the revocation list of sshd and ssh, never an older one.',
  examples: [
    "lanyard ssh trust --hosts '*.example.com'",
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
    issuer: flag.list('ISSUER', 'only these issuers, by name or ID (OpenBao); repeatable'),
    bundle: flag.file('FILE|-', 'read the public keys from a file, one per line, instead of the service'),
    remove: flag.name('FINGERPRINT', 'remove this CA instead (SHA256:...); needs no service'),
    dryRun: flag.boolean('print the lines without writing them'),
    mount: mountFlag,
    ...revokedFlags,
  },
  async run({ flags }, ctx) {
    rejectWithoutRevoked(flags);
    if (flags.revoked !== undefined) {
      for (const other of ['hosts', 'knownHosts', 'users', 'issuer', 'bundle', 'remove'] as const)
        if (flags[other] !== undefined)
          throw usage(`--revoked and --${toKebabCase(other)} exclude each other`);
      return trustRevoked(flags.revoked, flags, ctx);
    }
    if (flags.knownHosts !== undefined && flags.hosts === undefined)
      throw usage('--known-hosts requires --hosts', {
        hint: "Add --hosts '*' to trust the CA for all hosts.",
      });
    const targets = trustTargets(flags, ctx);
    if (flags.remove !== undefined) {
      if (flags.issuer || flags.bundle !== undefined)
        throw usage(`--remove and --${flags.issuer ? 'issuer' : 'bundle'} exclude each other`);
      return removeTrust(flags.remove, targets, flags.dryRun, ctx);
    }
    const { lines, missing } = await readCaKeys(flags, ctx);
    for (const each of missing) ctx.output.warn(`incomplete: cannot read ${each}`);
    const data = {
      ...(await trustLines(lines, targets, ctx)),
      ...(missing.length > 0 && { missing }),
    };
    const isPrinted = flags.hosts === undefined && flags.users === undefined;
    if (isPrinted || flags.dryRun) return { data, document: trustView(data) };
    const { changed, document } = await installTrust(data, targets, ctx);
    return { data: { ...data, changed }, document };
  },
});
