import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bundle.ts';
import type { NpmPackage } from './targets.ts';
import { run } from './tools.ts';

/** Where downloads are kept between releases. */
export const cache = join(root, 'node_modules/.cache/lanyard-release');

/** @throws Error: the content does not have this integrity (`sha512-BASE64`) */
export function requireIntegrity(content: Buffer, integrity: string, what: string): void {
  const found = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  if (found !== integrity) throw new Error(`cannot use ${what}: its integrity is ${found}, not ${integrity}`);
}

/**
 * The folder of an unpacked npm package, downloaded with `npm pack` if it is not in the cache. The archive is checked
 * each time.
 *
 * @throws Error: the download failed, or the archive does not have the recorded integrity
 */
export function npmPackage({ name, version, integrity }: NpmPackage): string {
  mkdirSync(cache, { recursive: true });
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const archive = join(cache, file);
  if (!existsSync(archive)) {
    run('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], { cwd: cache });
  }
  requireIntegrity(readFileSync(archive), integrity, `${name}@${version}`);
  const folder = join(cache, file.slice(0, -'.tgz'.length));
  if (!existsSync(folder)) {
    const unpacking = `${folder}.part`;
    rmSync(unpacking, { recursive: true, force: true });
    mkdirSync(unpacking);
    run('tar', ['-xzf', archive, '-C', unpacking, '--strip-components=1']);
    renameSync(unpacking, folder);
  }
  return folder;
}

/** An npm package of package-lock.json. @throws Error: the file does not have it */
export function lockedPackage(name: string): NpmPackage {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (!version || !integrity) throw new Error(`package-lock.json has no ${name}`);
  return { name, version, integrity };
}
