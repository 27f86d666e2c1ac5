import { usage } from '../errors.ts';

/** Hosts that are logged in to with a certificate. */
export interface ClientConfig {
  /** Patterns of ssh_config(5). */
  readonly hosts: readonly string[];
  readonly user: string | undefined;
  /** Absolute path of the private key; its certificate is next to it. */
  readonly key: string;
  /** Private keys that are tried after it. */
  readonly otherKeys: readonly string[];
  /** The command that exits with 0 when the certificate can be used. */
  readonly checkCommand: readonly string[];
  /** The command line that this was made by, for the head of the file. */
  readonly generatedBy: string;
}

const hostPattern = /^!?[\w.*?:%-]+$/;
const safeWord = /^[\w@+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unquotable = /['"\\\x00-\x1f\x7f]/;

/**
 * An include file for ssh (ssh_config(5)). Only while the check succeeds do the key and its certificate come
 * before others: where it does not, ssh does what it would do without this file.
 *
 * @throws LanyardError usage: a host that is no pattern, or a text that ssh's configuration cannot hold.
 */
export function clientConfig({
  hosts,
  user,
  key,
  otherKeys,
  checkCommand,
  generatedBy,
}: ClientConfig): string {
  for (const host of hosts) {
    if (!hostPattern.test(host)) throw usage(`invalid host pattern ${JSON.stringify(host)}`);
  }
  if (hosts.every((host) => host.startsWith('!')))
    throw usage('at least one host pattern must not begin with "!"');
  const lines = [
    `# Made by: ${generatedBy.replace(/\p{Cc}/gu, ' ')}`,
    '# Run it again to change this file; manual changes are overwritten.',
    `Match host ${hosts.join(',')} exec "${checkCommand.map(shellWord).join(' ').replaceAll('%', '%%')}"`,
    ...[`  IdentityFile ${configValue(key)}`, `  CertificateFile ${configValue(`${key}-cert.pub`)}`],
    '  IdentitiesOnly no',
    ...otherKeys.map((other) => `  IdentityFile ${configValue(other)}`),
    ...(user === undefined ? [] : [`Host ${hosts.join(' ')}`, `  User ${configValue(user)}`]),
    // What comes after an Include belongs to the block that is open at its end.
    'Match all',
  ];
  return `${lines.join('\n')}\n`;
}

/** Is a text that begins so an include file that was made here? */
export const isClientConfig = (head: string): boolean => head.startsWith('# Made by: lanyard ssh config ');

/** A word as a POSIX shell reads it, inside the double quotes of ssh's configuration. */
function shellWord(word: string): string {
  if (safeWord.test(word)) return word;
  return `'${requireQuotable(word)}'`;
}

function configValue(text: string): string {
  const escaped = requireQuotable(text).replaceAll('%', '%%');
  return /\s|#/.test(escaped) ? `"${escaped}"` : escaped;
}

function requireQuotable(text: string): string {
  if (text === '' || unquotable.test(text)) {
    throw usage(`cannot write ${JSON.stringify(text)} to the ssh configuration`, {
      hint: 'Quotes, backslashes and control characters are not supported.',
    });
  }
  return text;
}

const blockStart = /^\s*(?:host|match)\b/i;

/**
 * A user's ssh configuration with an Include of the files. It goes to the top: below a Host or Match line it would
 * hold for those hosts only, and what is said first is what counts.
 *
 * @returns the same text where the line is present already.
 */
export function withInclude(configuration: string, include: string): string {
  for (const line of configuration.split('\n')) {
    if (blockStart.test(line)) break;
    if (line.trim() === include) return configuration;
  }
  return `${include}\n${configuration === '' ? '' : `\n${configuration}`}`;
}
