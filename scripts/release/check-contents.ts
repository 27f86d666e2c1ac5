import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkSite } from '../../site/lib/check.ts';
import { root } from '../bundle.ts';
import { build } from './build.ts';
import { type Check, type Checked, Skip } from './check.ts';
import { checksumsOf, parseSums } from './checksums.ts';
import { machoLayout, verifyMacho } from './macho.ts';
import { debianArch } from './targets.ts';
import { run } from './tools.ts';

/** Unpacks an archive of the release once, and returns the folder in it. */
export function unpacked({ folder, work, version }: Checked, target: string, suffix: string): string {
  const name = `lanyard-${version}-${target}`;
  const path = join(work, name);
  const file = join(folder, `${name}.${suffix}`);
  if (!existsSync(path)) {
    if (suffix === 'zip') run('unzip', ['-q', file, '-d', work]);
    else run('tar', ['-xf', file, '-C', work]);
  }
  return path;
}

const mega = 1_000_000;

/** Checks of the files of a release, which start none of its programs. */
export function contentChecks(checked: Checked): readonly Check[] {
  const { folder, work, version } = checked;
  const file = (name: string) => `lanyard-${version}-${name}`;
  const sums = () => parseSums(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));

  return [
    {
      title: 'SHA256SUMS lists every file, and every checksum is right',
      files: ['SHA256SUMS'],
      run() {
        const names = readdirSync(folder).filter((name) => !name.startsWith('SHA256SUMS'));
        assert.deepEqual(checksumsOf(folder, names), sums());
      },
    },
    {
      title: 'the signature of SHA256SUMS is valid, and invalid after a change',
      files: ['SHA256SUMS.minisig'],
      tools: ['minisign'],
      run() {
        const { LANYARD_MINISIGN_PUBLIC_KEY: key } = process.env;
        if (!key) throw new Skip('LANYARD_MINISIGN_PUBLIC_KEY is not set');
        const verify = (path: string) => run('minisign', ['-V', '-P', key, '-m', path]);
        verify(join(folder, 'SHA256SUMS'));
        const changed = join(work, 'SHA256SUMS');
        copyFileSync(join(folder, 'SHA256SUMS.minisig'), `${changed}.minisig`);
        writeFileSync(changed, readFileSync(join(folder, 'SHA256SUMS'), 'utf8').replace(/^./, 'x'));
        assert.throws(() => verify(changed));
      },
    },
    ...['linux-x64', 'linux-arm64'].map((target) => ({
      title: `sizes of ${target}: program <= 125 MB, archive <= 32 MB`,
      files: [file(`${target}.tar.xz`)],
      run() {
        assert.ok(statSync(join(unpacked(checked, target, 'tar.xz'), 'bin/lanyard')).size <= 125 * mega);
        assert.ok(statSync(join(folder, file(`${target}.tar.xz`))).size <= 32 * mega);
      },
    })),
    ...(['darwin-arm64', 'darwin-x64'] as const).map((target) => ({
      title: `structure of ${target}: architecture, NODE_SEA segment, page hashes of the signature`,
      files: [file(`${target}.tar.gz`)],
      run() {
        const program = readFileSync(join(unpacked(checked, target, 'tar.gz'), 'bin/lanyard'));
        const { cpu, segments } = machoLayout(program);
        assert.equal(`darwin-${cpu}`, target);
        assert.ok(segments.some(({ name }) => name === 'NODE_SEA'));
        verifyMacho(program);
      },
    })),
    {
      title: 'structure of win-x64: architecture, NODE_SEA_BLOB resource',
      files: [file('win-x64.zip')],
      tools: ['unzip'],
      run() {
        const program = readFileSync(join(unpacked(checked, 'win-x64', 'zip'), 'lanyard.exe'));
        const header = program.readUInt32LE(0x3c);
        assert.equal(program.toString('latin1', 0, 2), 'MZ');
        assert.equal(program.toString('latin1', header, header + 4), 'PE\0\0');
        assert.equal(program.readUInt16LE(header + 4), 0x8664);
        assert.ok(program.includes(Buffer.from('NODE_SEA_BLOB', 'utf16le')));
      },
    },
    {
      title: 'image: two platforms, user 65532, labels',
      files: [file('oci.tar')],
      tools: ['skopeo'],
      run() {
        for (const arch of Object.values(debianArch)) {
          const image = `oci-archive:${join(folder, file('oci.tar'))}`;
          const { config, architecture } = JSON.parse(
            run('skopeo', ['--override-arch', arch, '--override-os', 'linux', 'inspect', '--config', image]),
          );
          assert.equal(architecture, arch);
          assert.equal(config.User, '65532:65532');
          assert.equal(config.Labels['org.opencontainers.image.version'], version);
        }
      },
    },
    {
      title: 'both SBOMs list Node and every library of licenses.txt',
      files: [file('linux-x64.tar.xz'), `lanyard-${version}.cdx.json`, `lanyard-${version}.spdx.json`],
      run() {
        const licenses = readFileSync(join(unpacked(checked, 'linux-x64', 'tar.xz'), 'licenses.txt'), 'utf8');
        const texts = licenses.split(`\n${'-'.repeat(80)}\n\n`);
        const libraries = texts.flatMap((text) => /^(\S+ \d\S*) \(.+\)\n/.exec(text)?.[1] ?? []);
        const cdx = JSON.parse(readFileSync(join(folder, `lanyard-${version}.cdx.json`), 'utf8'));
        const spdx = JSON.parse(readFileSync(join(folder, `lanyard-${version}.spdx.json`), 'utf8'));
        const inCdx = cdx.components.map((each: Record<string, string>) => `${each.name} ${each.version}`);
        const inSpdx = spdx.packages.map(
          (each: Record<string, string>) => `${each.name} ${each.versionInfo}`,
        );
        for (const list of [inCdx, inSpdx]) {
          assert.ok(libraries.length > 30);
          for (const library of libraries) assert.ok(list.includes(library), library);
          assert.ok(list.some((name: string) => /^node \d/.test(name)));
        }
      },
    },
    {
      title: 'man pages have no warnings',
      files: [file('linux-x64.tar.xz')],
      tools: ['mandoc'],
      run() {
        const pages = globSync('share/man/man*/*', { cwd: unpacked(checked, 'linux-x64', 'tar.xz') });
        assert.ok(pages.length > 0);
        const paths = pages.map((page) => join(unpacked(checked, 'linux-x64', 'tar.xz'), page));
        run('mandoc', ['-T', 'lint', '-W', 'warning', ...paths]);
      },
    },
    {
      title: 'the site has no dead link, loads nothing from elsewhere, and its search index has all pages',
      files: [file('site.tar.gz')],
      async run() {
        const { problems } = await checkSite(unpacked(checked, 'site', 'tar.gz'), '/');
        assert.deepEqual(problems, []);
      },
    },
    {
      title: 'install.sh has no findings',
      files: ['install.sh'],
      tools: ['shellcheck'],
      run: () => void run('shellcheck', [join(folder, 'install.sh')]),
    },
    {
      title: 'lintian finds no error in the Debian packages',
      tools: ['lintian'],
      run() {
        const packages = globSync('*.deb', { cwd: folder });
        if (packages.length === 0) throw new Skip('the release has no Debian package');
        run('lintian', ['--allow-root', '--fail-on', 'error', ...packages.map((name) => join(folder, name))]);
      },
    },
    {
      title: 'a second build of the same commit gives equal files',
      files: ['SHA256SUMS'],
      async run() {
        if (run('git', ['status', '--porcelain'], { cwd: root }) !== '') {
          throw new Skip('the working tree has changes');
        }
        const again = join(work, 'again');
        mkdirSync(again);
        await build({ ...checked, only: [...sums().keys()] }, again);
        const found = parseSums(readFileSync(join(again, 'SHA256SUMS'), 'utf8'));
        assert.deepEqual(found, sums());
      },
    },
  ];
}
