import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { normalize } from './archive.ts';
import { type Contents, layout, type Placed } from './layout.ts';
import { controlFile, debianChangelog, lintianOverrides, type PackageInfo, specFile } from './packages.ts';
import { rpmArch } from './targets.ts';
import { run } from './tools.ts';

/** Copies the files of a package into a folder. */
export function place(files: readonly Placed[], folder: string): void {
  for (const [source, path] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(source, join(folder, path));
  }
}

const gzipped = (text: string | Buffer) => gzipSync(text, { level: 9 });

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Writes a Debian package. Needs dpkg-deb. */
export function deb(
  info: PackageInfo,
  contents: Contents,
  { folder, seconds, output }: { folder: string; seconds: number; output: string },
): void {
  place(layout('deb', contents), folder);
  const documents = join(folder, 'usr/share/doc/lanyard');
  const overrides = join(folder, 'usr/share/lintian/overrides');
  for (const path of [documents, overrides, join(folder, 'DEBIAN')]) mkdirSync(path, { recursive: true });
  const licenses = contents.licenses.map((path) => readFileSync(path, 'utf8'));
  writeFileSync(join(documents, 'copyright'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
  const changelog = debianChangelog(info, new Date(seconds * 1000));
  writeFileSync(join(documents, 'changelog.gz'), gzipped(changelog));
  writeFileSync(join(overrides, 'lanyard'), lintianOverrides);
  for (const page of globSync('usr/share/man/man*/*', { cwd: folder })) {
    writeFileSync(join(folder, `${page}.gz`), gzipped(readFileSync(join(folder, page))));
    rmSync(join(folder, page));
  }
  const size = filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0);
  writeFileSync(join(folder, 'DEBIAN/control'), controlFile(info, size));
  normalize(folder, seconds);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z6', '--threads-max=1', '--build', folder, output], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
  });
}

/** Writes an RPM package. Needs rpmbuild. */
export function rpm(
  info: PackageInfo,
  contents: Contents,
  { folder, seconds, output }: { folder: string; seconds: number; output: string },
): void {
  const root = join(folder, 'root');
  place(layout('rpm', contents), root);
  normalize(root, seconds);
  const files = filesIn(root).map((path) => path.slice(root.length));
  const spec = join(folder, 'lanyard.spec');
  writeFileSync(spec, specFile(info, { root, files: files.sort(), seconds }));
  const target = `${rpmArch[info.target.arch]}-linux`;
  run('rpmbuild', ['-bb', '--quiet', '--target', target, '--define', `_topdir ${folder}/rpm`, spec], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds), LC_ALL: 'C', TZ: 'UTC' },
  });
  const [made] = globSync('rpm/RPMS/*/*.rpm', { cwd: folder });
  if (!made) throw new Error('rpmbuild wrote no package');
  cpSync(join(folder, made), output);
}
