import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import { type Block, code, text } from '../../../../output/document.ts';
import type { TrustTargets } from './targets.ts';

/** What `--remove` did. */
export interface RemovedTrust {
  /** Fingerprint of the CA that was removed. */
  readonly removed: string;
  /** Whether the files changed; a file that was not named is left out. */
  readonly changed: { knownHosts?: boolean; users?: boolean };
}

/**
 * Removes a CA from the files: the lines that `ssh trust` with the same flags adds. It needs no service, so that it works
 * after the CA was deleted. Prompts before the last CA of sshd is removed.
 *
 * @param fingerprint `SHA256:` and base64.
 * @throws LanyardError usage: invalid fingerprint; no file.
 */
export async function removeTrust(
  fingerprint: string,
  { hosts, knownHosts, knownHostsMode, users, changesUsers }: TrustTargets,
  isDryRun: boolean,
  { files, input, output, ssh }: Context,
): Promise<{ readonly data: RemovedTrust; readonly document: readonly Block[] }> {
  if (!/^SHA256:[\w+/]{43}$/.test(fingerprint))
    throw usage(
      `invalid --remove ${JSON.stringify(fingerprint)}: expected a fingerprint such as SHA256:...`,
      {
        hint: 'Run `ssh-keygen -lf FILE` or `lanyard ssh ca rotate status` for fingerprints.',
      },
    );
  if (hosts === undefined && !changesUsers)
    throw usage('--remove requires --hosts or --users', {
      hint: 'Use the flags that the CA was added with.',
    });
  const configuration = await ssh.configuration();
  const changed: RemovedTrust['changed'] = {};
  const document: Block[] = [];
  const read = async (path: string, what: string): Promise<string> =>
    (await files.exists(path)) ? files.readText(path, what) : '';
  const apply = async (path: string, what: string, mode: number, remove: (before: string) => string) => {
    const before = await read(path, what);
    // A missing file is not created.
    const isChanged = remove(before) !== before;
    if (isChanged && !isDryRun) await files.edit({ path, what, mode }, remove);
    document.push(
      isChanged
        ? text(`${isDryRun ? 'Would remove' : 'Removed'} the CA from `, code(path), '.')
        : text('The CA is not in ', code(path), '.'),
    );
    return isChanged;
  };
  if (hosts !== undefined) {
    const without = (before: string) => configuration.withoutCaLines(before, hosts, fingerprint);
    changed.knownHosts = await apply(
      knownHosts,
      'the known_hosts file',
      knownHostsMode,
      (before) => without(before).text,
    );
    const { others } = without(await read(knownHosts, 'the known_hosts file'));
    if (others.length > 0)
      output.warn(
        `${knownHosts} has lines of the CA for other hosts, which are unchanged: ${others.join(', ')}`,
      );
  }
  if (changesUsers) {
    const without = (before: string) => configuration.withoutTrustedKey(before, fingerprint);
    const { text: after, remaining } = without(await read(users, 'the trusted keys file'));
    if (remaining === 0 && after !== (await read(users, 'the trusted keys file')) && !isDryRun)
      await input.confirm(`Remove the last CA from ${users}? sshd then rejects every certificate for users.`);
    changed.users = await apply(users, 'the trusted keys file', 0o644, (before) => without(before).text);
  }
  return { data: { removed: fingerprint, changed }, document };
}
