import { usage } from '../errors.ts';

/** Hosts to log in to with a certificate. */
export interface ClientConfig {
  /** Patterns of ssh_config(5). */
  readonly hosts: readonly string[];
  readonly user: string | undefined;
  /** Absolute path of the private key; its certificate is next to it. */
  readonly key: string;
  /** Private keys to try after it. */
  readonly otherKeys: readonly string[];
  /** The command that exits with 0 when the certificate is usable. */
  readonly checkCommand: readonly string[];
  /** The command line that created the file, for its header. */
  readonly generatedBy: string;
}

const hostPattern = /^!?[\w.*?:%-]+$/;
const safeWord = /^[\w@+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are to be found
const unquotable = /['"\\\x00-\x1f\x7f]/;

/**
 * An include file for ssh (ssh_config(5)). The key and its certificate are tried first only while the check succeeds;
 * otherwise ssh behaves as without this file.
 *
 * @throws LanyardError usage: an invalid host pattern, or a text that ssh_config cannot represent.
 */
export function clientConfig(config: ClientConfig): string {
  const { hosts, user, key, otherKeys, checkCommand, generatedBy } = config;
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
    // Lines after an Include belong to the block that is open at the end of the included file.
    'Match all',
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether a text with this beginning is an include file of Lanyard. */
export const isClientConfig = (head: string): boolean => head.startsWith('# Made by: lanyard ssh config ');

/** A word for a POSIX shell, inside the double quotes of ssh_config. */
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
 * A user's ssh configuration with an Include of the files, at the top: below a Host or Match line it would apply to
 * those hosts only, and ssh uses the first value of each setting.
 *
 * @returns the same text if it has the line already.
 */
export function withInclude(configuration: string, include: string): string {
  for (const line of configuration.split('\n')) {
    if (blockStart.test(line)) break;
    if (line.trim() === include) return configuration;
  }
  return `${include}\n${configuration === '' ? '' : `\n${configuration}`}`;
}
