import { usage } from '../errors.ts';
import { isPublicKeyType } from './public-key.ts';
import { MalformedDataError } from './wire-format.ts';

/** The one line of a public key or certificate file. */
export interface KeyLine {
  readonly type: string;
  readonly blob: Buffer;
  readonly comment: string;
  /** `type base64 comment`, single spaces, no newline. */
  readonly line: string;
}

/** Characters of binary files: control characters except tab and line ends, and bytes that were not UTF-8. */
const binaryPattern = /[\p{Cc}--[\t\n\r]]|\ufffd/v;
const keyLinePattern = /^(\S+)(?:\s+(\S+)(?:\s+(.*))?)?$/s;
const otherFormats = [
  ['---- BEGIN SSH2 PUBLIC KEY', 'RFC4716'],
  ['-----BEGIN RSA PUBLIC KEY', 'PEM'],
  ['-----BEGIN PUBLIC KEY', 'PKCS8'],
] as const;
const maxBytes = 1024 * 1024;
const certificateEnding = '-cert-v01@openssh.com';
const formatHint = 'A public key file is one line such as: ssh-ed25519 AAAA... comment';

/** The key type of a certificate type; `undefined` for any other type. */
export function certifiedKeyType(type: string): string | undefined {
  if (!type.endsWith(certificateEnding)) return undefined;
  const stem = type.slice(0, -certificateEnding.length);
  if (stem === 'rsa-sha2-256' || stem === 'rsa-sha2-512') return 'ssh-rsa';
  return [stem, `${stem}@openssh.com`].find(isPublicKeyType);
}

/** The file in messages; `-` is standard input. */
export function describeSource(name: string): string {
  return name === '-' ? 'standard input' : name;
}

/** The file in a suggested command line. */
export function fileName(name: string): string {
  return name === '-' ? 'FILE' : name;
}

/** Removes a byte order mark. @throws LanyardError usage: empty, too long, or not text. */
export function checkKeyText(text: string, name: string): string {
  if (text.length > maxBytes)
    throw usage(`${describeSource(name)} is too large to be a key`, { hint: formatHint });
  const content = text.replace(/^\ufeff/, '');
  if (binaryPattern.test(content))
    throw usage(`${describeSource(name)} is not UTF-8 text`, { hint: formatHint });
  if (content.trim() === '') throw usage(`${describeSource(name)} is empty`, { hint: formatHint });
  return content;
}

/**
 * Reads the one line of a public key or certificate file. Blank lines, comment lines and CRLF are ignored.
 *
 * @throws LanyardError usage: other content. No message shows it.
 */
export function parseKeyLine(text: string, name: string): KeyLine {
  const lines = checkKeyText(text, name)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [line] = lines;
  if (line === undefined) throw usage(`${describeSource(name)} contains no key`, { hint: formatHint });
  rejectOtherFormats(line, name);
  if (!isKnownType(line.split(/\s/, 1)[0] ?? '')) throw notKeyError(line, name);
  if (lines.length > 1) {
    throw usage(`${describeSource(name)} has ${lines.length} lines; expected one public key on one line`, {
      hint: 'Use one key at a time, and join the lines of a wrapped key.',
    });
  }
  return readLine(line, name);
}

/** The same, for public keys only. @throws LanyardError usage: also for a certificate. */
export function parsePublicKeyLine(text: string, name: string): KeyLine {
  const line = parseKeyLine(text, name);
  if (certifiedKeyType(line.type) === undefined) return line;
  throw usage(`${describeSource(name)} is a certificate; expected a public key`);
}

/** Converts a parse error into one that names the file. */
export function withKeyErrors<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    throw usage(`${describeSource(name)} is damaged: ${error.message}`);
  }
}

function rejectOtherFormats(line: string, name: string): void {
  const format = otherFormats.find(([start]) => line.startsWith(start))?.[1];
  if (format === undefined) return;
  throw usage(
    `${describeSource(name)} is a public key in the ${format} format; expected the OpenSSH format`,
    { hint: `Run \`ssh-keygen -i -m ${format} -f ${fileName(name)}\` to convert it.` },
  );
}

function readLine(line: string, name: string): KeyLine {
  const [, type = '', base64, comment = ''] = keyLinePattern.exec(line) ?? [];
  if (base64 === undefined) throw usage(`${describeSource(name)} is damaged: no data after the key type`);
  const blob = Buffer.from(base64, 'base64');
  if (blob.toString('base64') !== base64) throw usage(`${describeSource(name)} is damaged: invalid base64`);
  if (blob.toString('latin1', 4, 4 + type.length) !== type || blob.readUInt32BE() !== type.length) {
    throw usage(`${describeSource(name)} is damaged: its data is not a key of type ${type}`);
  }
  return { type, blob, comment, line: `${type} ${base64} ${comment}`.trimEnd() };
}

function isKnownType(type: string): boolean {
  return isPublicKeyType(type) || certifiedKeyType(type) !== undefined;
}

function notKeyError(line: string, name: string) {
  const [first = '', ...rest] = line.split(/[ \t]+/);
  if (rest.some((word, at) => isKnownType(word) && rest[at + 1]?.startsWith('AAAA'))) {
    return usage(
      `${describeSource(name)} has text before the key, such as authorized_keys options or host names`,
      { hint: `Use only the key. ${formatHint}` },
    );
  }
  if (first.startsWith('AAAA')) return usage(`${describeSource(name)} has no key type`, { hint: formatHint });
  return usage(`${describeSource(name)} is not an SSH public key`, { hint: formatHint });
}
