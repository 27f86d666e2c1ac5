import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Modules of Node that are not loaded with every start.
const builtIn = process.getBuiltinModule;

/**
 * Loads a native library whose content is in memory. The system loads only files, so it is written to one that only
 * the user can write to, and removed again. Windows does not remove a loaded library: there the file stays in the
 * user's own temporary folder, and is used again if its content is the same.
 *
 * @throws Error: the file cannot be written, or the system cannot load it (a temporary folder mounted noexec)
 */
export function loadKeyring(library: Buffer): object {
  if (process.platform === 'win32') return open(keptFile(library));
  const folder = mkdtempSync(join(builtIn('node:os').tmpdir(), 'lanyard-keyring-'));
  try {
    const path = join(folder, 'keyring.node');
    writeFileSync(path, library, { mode: 0o600, flag: 'wx' });
    return open(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function keptFile(library: Buffer): string {
  const { createHash } = builtIn('node:crypto');
  const hash = createHash('sha256').update(library).digest('hex');
  const path = join(builtIn('node:os').tmpdir(), `lanyard-keyring-${hash.slice(0, 16)}.node`);
  if (isContent(path, library)) return path;
  const written = `${path}.${process.pid}`;
  writeFileSync(written, library);
  renameSync(written, path);
  return path;
}

function isContent(path: string, library: Buffer): boolean {
  try {
    return readFileSync(path).equals(library);
  } catch {
    return false;
  }
}

function open(path: string): object {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}
