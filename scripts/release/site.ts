import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bundle.ts';
import { gzip, normalize, tar } from './archive.ts';
import { run } from './tools.ts';

interface SiteRelease {
  readonly version: string;
  /** Time of all files, in Unix seconds. */
  readonly seconds: number;
  /** Folder for temporary files. */
  readonly work: string;
  /** Folder of the release. */
  readonly output: string;
}

/** What must be installed before the site can be built; empty if it is. */
export const missingPackages = (): readonly string[] =>
  existsSync(join(root, 'site/node_modules/vitepress')) ? [] : ['site/node_modules (npm ci --prefix site)'];

/** Builds the documentation site for the root of a host, and writes lanyard-VERSION-site.tar.gz. */
export function siteArchive({ version, seconds, work, output }: SiteRelease): void {
  const name = `lanyard-${version}-site`;
  const folder = join(work, name);
  run('npm', ['run', '-s', 'site', '--', '--outDir', folder], { cwd: root });
  normalize(folder, seconds);
  const archive = join(work, `${name}.tar`);
  tar(work, name, seconds, archive);
  gzip(archive, join(output, `${name}.tar.gz`));
}
