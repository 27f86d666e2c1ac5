import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { debianArch, type Target } from './targets.ts';
import { run } from './tools.ts';

/** The release of Debian whose libraries the image contains. */
const release = 'bookworm';
const mirror = 'http://deb.debian.org/debian';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const packages = [
  'base-files',
  'ca-certificates',
  'gcc-12-base',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'netbase',
];

/**
 * Downloads the packages of Debian that the image contains, for the architecture of a target. Needs apt-get, and not
 * root. apt checks their signatures.
 *
 * @returns absolute paths of the packages
 */
export function debianPackages({ arch }: Target, folder: string): readonly string[] {
  for (const path of ['lists/partial', 'archives/partial', 'empty', 'packages']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${keyring}] ${mirror} ${release} main\n`);
  const settings = {
    'APT::Architecture': debianArch[arch],
    'APT::Architectures': debianArch[arch],
    'APT::Sandbox::User': 'root',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::Status': join(folder, 'status'),
    'Dir::Cache': folder,
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': join(folder, 'empty'),
    'Acquire::Languages': 'none',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', [...options, '-qq', 'update']);
  run('apt-get', [...options, '-qq', 'download', ...packages], { cwd: join(folder, 'packages') });
  return readdirSync(join(folder, 'packages'))
    .filter((name) => name.endsWith('.deb'))
    .sort()
    .map((name) => join(folder, 'packages', name));
}

const kept =
  /^\.\/(lib|usr\/lib|lib64)\/.*\.so[.\d]*$|^\.\/usr\/share\/(doc\/[^/]+\/copyright|ca-certificates\/.*\.crt)$|^\.\/(etc\/(protocols|services)|usr\/lib\/os-release)$/;

/** Unpacks into `root` what the image needs of a package, and records the package where scanners look for it. */
export function unpackLibraries(archive: string, root: string, folder: string): void {
  const whole = join(folder, basename(archive, '.deb'));
  run('dpkg-deb', ['-x', archive, whole]);
  const files = run('find', ['.', '(', '-type', 'f', '-o', '-type', 'l', ')'], { cwd: whole })
    .split('\n')
    .filter((path) => kept.test(path) && !/\/(gconv|audit)\//.test(path))
    .sort();
  if (files.length > 0) run('cp', ['-a', '--parents', ...files, root], { cwd: whole });
  const status = join(root, 'var/lib/dpkg/status.d');
  mkdirSync(status, { recursive: true });
  const control = run('dpkg-deb', ['-f', archive]);
  const [, name = ''] = /^Package: (\S+)/m.exec(control) ?? [];
  writeFileSync(join(status, name), control);
}

/** The certificates of the certificate authorities in `root`, as one text. */
export function certificates(root: string): string {
  const folder = join(root, 'usr/share/ca-certificates');
  const files = globSync('**/*.crt', { cwd: folder }).sort();
  return files.map((path) => `${readFileSync(join(folder, path), 'utf8').trim()}\n`).join('');
}
