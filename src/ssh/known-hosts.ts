import { usage } from '../errors.ts';
import { parsePublicKeyLine, withKeyErrors } from './key-line.ts';
import { describeKey, readPublicKey } from './public-key.ts';

const marker = '@cert-authority';
const caName = "the CA's public key";
const hostPattern = /^!?(?:[\w.*?:%-]+|\[[\w.*?:%-]+\]:\d{1,5})$/;

/**
 * The known_hosts line that trusts a CA for hosts (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"), without newline.
 *
 * @param patterns host names or addresses, with `*`, `?`, a leading `!`, or `[host]:port`.
 * @param caPublicKey the CA's public key line.
 * @throws LanyardError usage: no pattern, an invalid pattern, or not a public key.
 */
export function knownHostsCaLine(patterns: readonly string[], caPublicKey: string): string {
  for (const pattern of patterns) {
    if (!hostPattern.test(pattern)) {
      throw usage(`invalid host pattern ${JSON.stringify(pattern)}`, {
        hint: 'Use host names or addresses such as *.example.com, or [host]:port.',
      });
    }
  }
  if (patterns.every((pattern) => pattern.startsWith('!'))) {
    throw usage('at least one host pattern must not begin with "!"');
  }
  const { line, blob } = parsePublicKeyLine(caPublicKey, caName);
  withKeyErrors(caName, () => readPublicKey(blob));
  return `${marker} ${patterns.join(',')} ${line}`;
}

/**
 * Adds a line of `knownHostsCaLine` to a known_hosts file; the same text if it has the line already, whatever its
 * comment.
 */
export function withCaLine(knownHosts: string, line: string): string {
  const withoutComment = (text: string): string => text.trim().split(/\s+/).slice(0, 4).join(' ');
  const exists = knownHosts.split('\n').some((other) => {
    return other.trimStart().startsWith(marker) && withoutComment(other) === withoutComment(line);
  });
  return exists ? knownHosts : appendLine(knownHosts, line);
}

/**
 * Adds a CA's public key to a file of TrustedUserCAKeys (sshd_config(5)); the same text if it has the key already.
 *
 * @throws LanyardError usage: not a public key.
 */
export function withTrustedKey(trusted: string, caPublicKey: string): string {
  const { line, type, blob } = parsePublicKeyLine(caPublicKey, caName);
  const key = `${type} ${blob.toString('base64')}`;
  const exists = trusted.split('\n').some((other) => other.trim().split(/\s+/).slice(0, 2).join(' ') === key);
  return exists ? trusted : appendLine(trusted, line);
}

const appendLine = (text: string, line: string): string =>
  `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;

/** The fingerprint of a key line's type and base64; undefined: not a key. */
function fingerprintOf(type: string, base64: string): string | undefined {
  try {
    const { blob } = parsePublicKeyLine(`${type} ${base64}`, caName);
    return describeKey(readPublicKey(blob), '').fingerprint;
  } catch {
    return undefined;
  }
}

/**
 * Removes the lines of `knownHostsCaLine` for a CA from a known_hosts file; other lines are unchanged.
 *
 * @param patterns those that the lines have, in any order.
 * @param fingerprint of the CA, `SHA256:` and base64.
 * @returns `others`: the patterns of lines that trust the CA for other hosts.
 */
export function withoutCaLines(
  knownHosts: string,
  patterns: readonly string[],
  fingerprint: string,
): { readonly text: string; readonly others: readonly string[] } {
  const others: string[] = [];
  const wanted = patterns.toSorted().join(',');
  const text = keptLines(knownHosts, (line) => {
    const [word, hosts = '', type = '', base64 = ''] = line.trim().split(/\s+/);
    if (word !== marker || fingerprintOf(type, base64) !== fingerprint) return true;
    if (hosts.split(',').toSorted().join(',') === wanted) return false;
    others.push(hosts);
    return true;
  });
  return { text, others };
}

/**
 * Removes a CA from a file of TrustedUserCAKeys; other lines are unchanged.
 *
 * @param fingerprint of the CA, `SHA256:` and base64.
 * @returns `remaining`: how many keys the file has then.
 */
export function withoutTrustedKey(
  trusted: string,
  fingerprint: string,
): { readonly text: string; readonly remaining: number } {
  let remaining = 0;
  const text = keptLines(trusted, (line) => {
    const [type = '', base64 = ''] = line.trim().split(/\s+/);
    const found = fingerprintOf(type, base64);
    if (found === fingerprint) return false;
    if (found !== undefined) remaining += 1;
    return true;
  });
  return { text, remaining };
}

/** The text without some lines; line ends are unchanged. */
const keptLines = (text: string, isKept: (line: string) => boolean): string =>
  text
    .split(/(?<=\n)/)
    .filter((line) => isKept(line))
    .join('');
