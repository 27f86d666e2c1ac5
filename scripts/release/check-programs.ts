import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Check, Checked } from './check.ts';
import { unpacked } from './check-contents.ts';
import { cache } from './npm-package.ts';
import { user } from './oci.ts';
import { debianVersion } from './packages.ts';
import { debianArch, rpmArch } from './targets.ts';
import { run } from './tools.ts';

/** Runs a command in a root folder with /proc, as a user. @throws Error: it failed */
function inRoot(root: string, command: readonly string[], id = 0): string {
  mkdirSync(join(root, 'proc'), { recursive: true });
  run('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  try {
    return run('chroot', [`--userspec=${id}:${id}`, root, ...command], {
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: id === 0 ? '/root' : '/home/lanyard' },
    });
  } finally {
    run('umount', [join(root, 'proc')]);
  }
}

/** A new copy of a minimal Debian, which has no libatomic1. It is made once, and kept. */
function minimalDebian(to: string): string {
  const kept = join(cache, 'minbase');
  if (!existsSync(kept)) {
    run('debootstrap', ['--variant=minbase', 'bookworm', `${kept}.part`]);
    renameSync(`${kept}.part`, kept);
  }
  run('cp', ['-a', '--reflink=auto', kept, to]);
  assert.deepEqual(globSync('{lib,usr/lib}/**/libatomic*', { cwd: to }), []);
  return to;
}

/** The root folder of the image for an architecture. */
function imageRoot({ folder, work, version }: Checked, arch: string): string {
  const layoutFolder = join(work, `oci-${arch}`);
  const image = join(work, `image-${arch}`);
  if (existsSync(image)) return image;
  const archive = join(folder, `lanyard-${version}-oci.tar`);
  run('skopeo', ['--override-arch', arch, 'copy', '-q', `oci-archive:${archive}`, `dir:${layoutFolder}`]);
  const { layers } = JSON.parse(readFileSync(join(layoutFolder, 'manifest.json'), 'utf8'));
  mkdirSync(image);
  for (const { digest } of layers) {
    const layer = join(layoutFolder, digest.replace('sha256:', ''));
    run('tar', ['-xzf', layer, '-C', image, '--numeric-owner', '--same-owner', '-p']);
  }
  return image;
}

const listOf = (root: string) => run('find', ['.', '-xdev', '-path', '*lanyard*'], { cwd: root });

/** Checks that start the programs of a release, on Linux. */
export function programChecks(checked: Checked): readonly Check[] {
  const { folder, work, version } = checked;
  const archive = (target: string) => `lanyard-${version}-${target}.tar.xz`;
  const debName = `lanyard_${debianVersion(version)}_${debianArch.x64}.deb`;
  const rpmName = `lanyard-${debianVersion(version)}-1.${rpmArch.x64}.rpm`;
  const image = `lanyard-${version}-oci.tar`;
  const npm = `lanyard-${version}.tgz`;
  const program = () => join(unpacked(checked, 'linux-x64', 'tar.xz'), 'bin/lanyard');
  const expectVersion = (text: string) => assert.equal(text.trim(), version);

  return [
    {
      title: 'linux-x64 starts in a minimal Debian without libatomic1, and completes the tour',
      files: [archive('linux-x64')],
      tools: ['debootstrap', 'chroot'],
      needsRoot: true,
      run() {
        const root = minimalDebian(join(work, 'minimal'));
        cpSync(unpacked(checked, 'linux-x64', 'tar.xz'), join(root, 'opt/lanyard'), { recursive: true });
        expectVersion(inRoot(root, ['/opt/lanyard/bin/lanyard', '--version']));
        assert.match(inRoot(root, ['/opt/lanyard/bin/lanyard', 'quickstart']), /End of the tour/);
      },
    },
    {
      title: 'the keyring library in linux-x64 can be loaded',
      files: [archive('linux-x64')],
      run() {
        const { stdout } = spawnSync(program(), ['__keyring'], {
          env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
          input: JSON.stringify({ action: 'get', account: 'none' }),
          encoding: 'utf8',
        });
        assert.match(stdout, /DBus error/);
      },
    },
    {
      title: 'the Debian package installs in a minimal Debian, runs, and is removed without a trace',
      files: [debName],
      tools: ['debootstrap', 'chroot'],
      needsRoot: true,
      run() {
        const root = minimalDebian(join(work, 'debian'));
        const before = listOf(root);
        cpSync(join(folder, debName), join(root, 'package.deb'));
        inRoot(root, ['dpkg', '-i', '/package.deb']);
        expectVersion(inRoot(root, ['lanyard', '--version']));
        assert.match(inRoot(root, ['lanyard', 'quickstart']), /End of the tour/);
        assert.ok(existsSync(join(root, 'usr/share/bash-completion/completions/lanyard')));
        inRoot(root, ['dpkg', '--purge', 'lanyard']);
        assert.equal(listOf(root), before);
      },
    },
    {
      title: 'the RPM package installs and runs (its dependencies are not resolved here)',
      files: [rpmName],
      tools: ['rpm', 'debootstrap', 'chroot'],
      needsRoot: true,
      run() {
        const root = minimalDebian(join(work, 'rpm'));
        run('rpm', ['--root', root, '--nodeps', '--noscripts', '-i', join(folder, rpmName)]);
        expectVersion(inRoot(root, ['lanyard', '--version']));
        assert.ok(existsSync(join(root, 'usr/share/licenses/lanyard/LICENSE')));
      },
    },
    {
      title: `the image runs as user ${user}, and completes the tour`,
      files: [image],
      tools: ['skopeo', 'chroot'],
      needsRoot: true,
      run() {
        const root = imageRoot(checked, debianArch.x64);
        expectVersion(inRoot(root, ['/usr/bin/lanyard', '--version'], user));
        assert.match(inRoot(root, ['/usr/bin/lanyard', 'quickstart'], user), /End of the tour/);
      },
    },
    {
      title: 'linux-arm64 runs under qemu, and reads a secret that it wrote',
      files: [archive('linux-arm64'), archive('linux-x64'), image],
      tools: ['qemu-aarch64', 'skopeo'],
      run() {
        const emulated = join(unpacked(checked, 'linux-arm64', 'tar.xz'), 'bin/lanyard');
        const qemu = ['qemu-aarch64', '-L', imageRoot(checked, debianArch.arm64), emulated];
        expectVersion(run(qemu[0] ?? '', [...qemu.slice(1), '--version']));
        assert.match(run(qemu[0] ?? '', [...qemu.slice(1), '--help']), /Usage: lanyard/);
        const lines = [
          'kv put secret/arm answer=from-arm --timeout 120s',
          'kv get secret/arm --field answer --timeout 120s',
        ];
        const script = lines.map((line) => `${qemu.join(' ')} ${line}`).join(' >&2 && ');
        const home = join(work, 'arm-home');
        mkdirSync(home);
        const env = { PATH: process.env.PATH, HOME: home };
        assert.equal(run(program(), ['dev', 'run', '--', 'sh', '-c', script], { env }).trim(), 'from-arm');
      },
    },
    {
      title: 'the npm package installs into an empty folder, and its program runs',
      files: [npm],
      tools: ['npm'],
      run() {
        const project = join(work, 'npm');
        mkdirSync(project);
        writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
        const install = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
        run('npm', [...install, join(folder, npm)], { cwd: project });
        expectVersion(run(join(project, 'node_modules/.bin/lanyard'), ['--version']));
      },
    },
    {
      title: 'install.sh installs without root, and rejects a wrong checksum',
      files: ['install.sh', archive('linux-x64'), 'SHA256SUMS'],
      tools: ['xz'],
      run() {
        const prefix = join(work, 'prefix');
        mkdirSync(prefix);
        chmodSync(work, 0o755);
        chmodSync(prefix, 0o777);
        const ids = process.getuid?.() === 0 ? { uid: user, gid: user } : {};
        const install = (from: string) =>
          spawnSync('sh', [join(from, 'install.sh'), '--from', from, '--prefix', prefix], {
            ...ids,
            env: { PATH: process.env.PATH, HOME: prefix },
            cwd: '/',
            encoding: 'utf8',
          });
        // Not every user may read the folder of the release.
        const copy = join(work, 'release');
        mkdirSync(copy);
        for (const name of ['install.sh', 'SHA256SUMS', archive('linux-x64')]) {
          cpSync(join(folder, name), join(copy, name));
        }
        const { status, stderr } = install(copy);
        assert.equal(status, 0, stderr);
        expectVersion(run(join(prefix, 'bin/lanyard'), ['--version']));
        const sums = readFileSync(join(copy, 'SHA256SUMS'), 'utf8');
        writeFileSync(join(copy, 'SHA256SUMS'), sums.replace(/^[0-9a-f]{8}/gm, '00000000'));
        assert.match(install(copy).stderr, /wrong checksum/);
      },
    },
  ];
}
