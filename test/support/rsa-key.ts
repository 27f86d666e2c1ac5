import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Pair {
  readonly privateKey: string;
  /** `ssh-rsa` and the blob. */
  readonly publicKey: string;
}

let made: Pair | undefined;

/** An RSA key of 2048 bits from `ssh-keygen`, made once for all tests of the process: each takes long to find. */
function pair(): Pair {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-rsa-'));
  try {
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-C', '', '-f', file]);
    made = { privateKey: readFileSync(file, 'utf8'), publicKey: readFileSync(`${file}.pub`, 'utf8').trim() };
    return made;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Writes this key and its public half, as `ssh-keygen` writes it in a format (of its option `-m`) and with a
 * passphrase.
 */
export function writeRsaKey(
  file: string,
  { comment, format, passphrase = '' }: { comment: string; format?: string | undefined; passphrase?: string },
): void {
  const { privateKey, publicKey } = pair();
  writeFileSync(file, privateKey, { mode: 0o600 });
  writeFileSync(`${file}.pub`, `${publicKey}\n`);
  execFileSync('ssh-keygen', ['-q', '-c', '-P', '', '-C', comment, '-f', file], { stdio: 'pipe' });
  if (format === undefined && passphrase === '') return;
  const formatted = format === undefined ? [] : ['-m', format];
  execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, ...formatted, '-f', file], {
    stdio: 'pipe',
  });
}
