import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has, run } from './tools.ts';

/**
 * Signs a file with minisign, as `FILE.minisig`. The secret key is the content of LANYARD_MINISIGN_KEY, or the file
 * LANYARD_MINISIGN_KEY_FILE; LANYARD_MINISIGN_PASSWORD decrypts it.
 *
 * @param comment is signed, too; it has no time, so the signature is the same in every build
 * @returns why it was not signed; undefined: it was
 */
export function sign(path: string, comment: string): string | undefined {
  const { LANYARD_MINISIGN_KEY: key, LANYARD_MINISIGN_KEY_FILE: file } = process.env;
  const { LANYARD_MINISIGN_PASSWORD: password = '' } = process.env;
  if (!key && !file) return 'unsigned, because LANYARD_MINISIGN_KEY is not set';
  if (!has('minisign')) return 'minisign missing';
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-sign-'));
  try {
    const secret = file ?? join(folder, 'key');
    if (key) writeFileSync(secret, `${key.trim()}\n`, { mode: 0o600 });
    run('minisign', ['-S', '-s', secret, '-m', path, '-t', comment, '-c', 'signature of the checksums'], {
      input: `${password}\n`,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return undefined;
}
