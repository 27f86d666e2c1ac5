import type { Context } from '../../../../command/context.ts';
import { type Block, code, raw, text } from '../../../../output/document.ts';
import { countText } from '../../../../output/humanize.ts';

/** The files that trust CAs, as the flags name them. */
export interface TrustFlags {
  readonly hosts: readonly string[] | undefined;
  readonly knownHosts: string | undefined;
  readonly users: string | undefined;
}

/** The files of `ssh trust`, with absolute paths. */
export interface TrustTargets {
  readonly hosts: readonly string[] | undefined;
  readonly knownHosts: string;
  /** Mode of a new known_hosts file: private for the file of the user. */
  readonly knownHostsMode: number;
  readonly users: string;
  readonly changesUsers: boolean;
}

/** The lines that trust CAs, and the files that have them. */
export interface TrustLines {
  readonly knownHosts?: {
    readonly file: string;
    /** Lines with the marker @cert-authority, one for each CA. */
    readonly line: string;
  };
  readonly users?: {
    readonly file: string;
    /** Public keys, one line for each CA. */
    readonly key: string;
    /** Lines of sshd_config. */
    readonly sshd: readonly string[];
  };
}

/** @param flags of the command line; without files, the default ones. */
export const trustTargets = (flags: TrustFlags, { files, system }: Context): TrustTargets => ({
  hosts: flags.hosts,
  knownHosts: files.absolute(flags.knownHosts ?? `${system.home}/.ssh/known_hosts`),
  knownHostsMode: flags.knownHosts === undefined ? 0o600 : 0o644,
  users: files.absolute(flags.users ?? '/etc/ssh/trusted-user-ca-keys.pem'),
  changesUsers: flags.users !== undefined,
});

/** The lines of public keys for the files that were named, or for both. @throws LanyardError usage: invalid pattern. */
export async function trustLines(
  keys: readonly string[],
  targets: TrustTargets,
  { ssh }: Pick<Context, 'ssh'>,
): Promise<TrustLines> {
  const { hosts, knownHosts, users, changesUsers } = targets;
  const configuration = await ssh.configuration();
  const lines = keys.map((key) => configuration.knownHostsCaLine(hosts ?? ['*'], key));
  for (const key of keys) configuration.withTrustedKey('', key);
  const isPrinted = hosts === undefined && !changesUsers;
  return {
    ...(isPrinted || hosts ? { knownHosts: { file: knownHosts, line: lines.join('\n') } } : {}),
    ...(isPrinted || changesUsers
      ? {
          users: {
            file: users,
            key: keys.map((key) => key.trimEnd()).join('\n'),
            sshd: [`TrustedUserCAKeys ${users}`],
          },
        }
      : {}),
  };
}

/** What is printed instead of written. */
export const trustView = ({ knownHosts, users }: TrustLines): Block[] => [
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

/** Adds the lines to the files. @returns what changed. */
export async function installTrust(
  { knownHosts, users }: TrustLines,
  targets: TrustTargets,
  { files, ssh, system }: Context,
) {
  const configuration = await ssh.configuration();
  const changed: { knownHosts?: boolean; users?: boolean } = {};
  const document: Block[] = [];
  if (knownHosts) {
    if (targets.knownHostsMode === 0o600) await files.createDirectory(`${system.home}/.ssh`);
    const edited = { path: knownHosts.file, what: 'the known_hosts file', mode: targets.knownHostsMode };
    const added = await addAll(knownHosts.line.split('\n'), edited, configuration.withCaLine, files);
    changed.knownHosts = added > 0;
    document.push(addedNote(knownHosts.file, added, knownHosts.line.split('\n').length));
  }
  if (users) {
    const edited = { path: users.file, what: 'the trusted keys file', mode: 0o644 };
    const added = await addAll(users.key.split('\n'), edited, configuration.withTrustedKey, files);
    changed.users = added > 0;
    document.push(addedNote(users.file, added, users.key.split('\n').length));
    document.push(text('Add this line to sshd_config and reload sshd:'), raw(`${users.sshd.join('\n')}\n`));
  }
  return { changed, document };
}

/** Adds lines to a file in one change. @returns how many it did not have. */
async function addAll(
  lines: readonly string[],
  file: Parameters<Context['files']['edit']>[0],
  add: (text: string, line: string) => string,
  files: Context['files'],
): Promise<number> {
  let added = 0;
  await files.edit(file, (before) => {
    added = 0;
    return lines.reduce((content, line) => {
      const after = add(content, line);
      if (after !== content) added += 1;
      return after;
    }, before);
  });
  return added;
}

function addedNote(file: string, added: number, all: number): Block {
  if (added > 0) return text(`Added ${all === 1 ? 'the CA' : countText(added, 'CA')} to `, code(file), '.');
  return text(all === 1 ? 'The CA is already in ' : 'The CAs are already in ', code(file), '.');
}
