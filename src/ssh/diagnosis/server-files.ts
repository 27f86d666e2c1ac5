import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { osErrorMessage } from '../../errors.ts';
import { parseKeyLine } from '../key-line.ts';
import { findRevocation, readRevocable } from '../krl/check.ts';
import { isKrl, readKrl } from '../krl/read.ts';
import { describeKey, readPublicKey } from '../public-key.ts';
import { readEffectiveSettings, readSettingsFile, type ServerSettings } from './server-settings.ts';

/** A file that sshd_config names. */
export interface ServerFile {
  readonly path: string;
  /** Undefined: it cannot be read. */
  readonly content: Buffer | undefined;
  /** The message of the operating system, if it cannot be read. */
  readonly problem: string | undefined;
}

/** An account of this host. */
export interface Account {
  readonly home: string;
  readonly shell: string;
  readonly uid: number;
  /** Names; undefined: not known. */
  readonly groups: readonly string[] | undefined;
}

/**
 * The settings of sshd for a login on this host: by `sshd -T` if it can be run, else from the file.
 *
 * @param path of sshd_config.
 * @param text its content.
 * @param address of the client; undefined: not known.
 */
export async function readServerSettings(
  path: string,
  text: string,
  user: string,
  address: string | undefined,
): Promise<ServerSettings> {
  const from = address ?? '127.0.0.1';
  // Its directory is in the PATH of root only.
  for (const program of ['sshd', '/usr/sbin/sshd']) {
    const { code, stdout } = await run(program, [
      '-T',
      '-f',
      path,
      '-C',
      `user=${user},host=${from},addr=${from}`,
    ]);
    if (code === 0) return readEffectiveSettings(stdout);
  }
  return readSettingsFile(text, readIncluded);
}

/** The text of the files of an `Include` line. Those that cannot be read are left out. */
const readIncluded = (pattern: string): string =>
  globSync(isAbsolute(pattern) ? pattern : join('/etc/ssh', pattern))
    .sort()
    .map((file) => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');

export async function readServerFile(path: string): Promise<ServerFile> {
  try {
    return { path, content: await readFile(path), problem: undefined };
  } catch (error) {
    return { path, content: undefined, problem: osErrorMessage(error) };
  }
}

/** The account of a user by the databases of the system; null: it does not exist; undefined: not known. */
export async function readAccount(user: string): Promise<Account | null | undefined> {
  const { code, stdout } = await run('getent', ['passwd', user]);
  if (code === 2) return null;
  const [, , uid, , , home, shell] = stdout.trim().split(':');
  if (code !== 0 || home === undefined || shell === undefined) return undefined;
  const groups = await run('id', ['-Gn', user]);
  const names = groups.code === 0 ? groups.stdout.trim().split(/\s+/) : undefined;
  return { home, shell, uid: Number(uid), groups: names };
}

/**
 * The first part of a path that others than the user and root can change: with StrictModes, sshd ignores the file.
 * sshd checks the file and its directories, up to the home directory of the user, else up to `/`.
 *
 * @returns undefined: none, or it cannot be read.
 */
export async function findInsecurePart(
  path: string,
  { home, uid }: Pick<Account, 'home' | 'uid'>,
): Promise<string | undefined> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found === undefined) return undefined;
    if ((found.uid !== 0 && found.uid !== uid) || (found.mode & 0o022) !== 0) return at;
    if (at === home || at === '/') return undefined;
  }
}

/** The fingerprints of the keys in a file with one key on each line; other lines are left out. */
export const keyFingerprints = (content: Buffer): string[] =>
  keyBlobs(content).map((blob) => describeKey(readPublicKey(Buffer.from(blob, 'base64')), '').fingerprint);

/**
 * Whether a file of RevokedKeys revokes a key or certificate: a revocation list, or public keys one on each line.
 *
 * @param line of the key or certificate; undefined: only the list is checked.
 * @returns undefined: there is no key.
 * @throws LanyardError usage: the list is damaged, and sshd rejects every key.
 */
export function isRevoked(content: Buffer, path: string, line: string | undefined): boolean | undefined {
  const list = isKrl(content) ? readKrl(content, path) : undefined;
  if (line === undefined) return undefined;
  if (list !== undefined) return findRevocation(list, readRevocable(line, 'the certificate')) !== undefined;
  const { key, certificate } = readRevocable(line, 'the certificate');
  const revoked = new Set(keyBlobs(content));
  return revoked.has(key) || (certificate !== undefined && revoked.has(certificate.ca));
}

/** The public key blobs in base64, of a file with one key on each line; other lines are left out. */
const keyBlobs = (content: Buffer): string[] =>
  content
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((line) => {
      try {
        return [parseKeyLine(line, 'the file').blob.toString('base64')];
      } catch {
        return [];
      }
    });

/** Runs a program without input. The code is -1 if it cannot be run. */
const run = (program: string, args: readonly string[]): Promise<{ code: number; stdout: string }> =>
  new Promise((done) => {
    const child = execFile(program, [...args], (error, stdout) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout });
    });
    child.stdin?.end();
  });
