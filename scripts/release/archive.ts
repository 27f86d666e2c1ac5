import { chmodSync, lstatSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './tools.ts';

/** Sets modes (0755 for folders and what is executable, else 0644) and times, so that every build is equal. */
export function normalize(path: string, seconds: number): void {
  const stat = lstatSync(path);
  if (stat.isDirectory()) for (const name of readdirSync(path)) normalize(join(path, name), seconds);
  if (stat.isSymbolicLink()) return;
  const special = stat.mode & 0o1000;
  chmodSync(path, special ? 0o1777 : stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  utimesSync(path, seconds, seconds);
}

/**
 * Writes a tar archive of `name` in `folder`; the same files and time give the same bytes. All belongs to root, except
 * the folder home/lanyard.
 *
 * @param homeOwner ID of the user and group of home/lanyard
 */
export function tar(folder: string, name: string, seconds: number, output: string, homeOwner = 0): void {
  const options = ['--sort=name', `--mtime=@${seconds}`, '--numeric-owner', '--format=gnu', '-C', folder];
  const root = ['--owner=0', '--group=0'];
  const home = './home/lanyard';
  if (homeOwner === 0) {
    run('tar', [...options, ...root, '-cf', output, name]);
    return;
  }
  run('tar', [...options, ...root, `--exclude=${home}`, '-cf', output, name]);
  run('tar', [...options, `--owner=${homeOwner}`, `--group=${homeOwner}`, '-rf', output, home]);
}

/** Compresses a file into `FILE.xz`, and removes it. */
export const xz = (path: string): string => run('xz', ['-6', '-T1', '-f', path]);

/** Compresses a file; the result has no time. */
export const gzip = (path: string, output: string): void =>
  writeFileSync(output, gzipSync(readFileSync(path), { level: 9 }));

/** Writes a zip archive of `name` in `folder`, which is normalized. */
export function zip(folder: string, name: string, output: string): void {
  const files = readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  run('zip', ['-X', '-9', '-q', '-D', output, '-@'], {
    cwd: folder,
    input: files.join('\n'),
    env: { ...process.env, TZ: 'UTC' },
  });
}
