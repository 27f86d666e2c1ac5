import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../../scripts/bundle.ts';
import { checksumsOf, sumsText } from '../../../scripts/release/checksums.ts';

// install.sh as a release has it, with an archive for this platform whose program is a script.

const os = process.platform === 'darwin' ? 'darwin' : 'linux';
const suffix = os === 'darwin' ? 'tar.gz' : 'tar.xz';
const name = `lanyard-1.2.0-${os}-${process.arch}`;

let folder: string;
let release: string;
let prefix: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanyard-install-'));
  release = join(folder, 'release');
  prefix = join(folder, 'a prefix');
  const files = {
    'bin/lanyard': '#!/bin/sh\necho 1.2.0\n',
    'share/man/man1/lanyard.1': 'page',
    LICENSE: 'MIT',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
  chmodSync(join(folder, name, 'bin/lanyard'), 0o755);
  mkdirSync(release);
  const archive = join(release, `${name}.${suffix}`);
  spawnSync('tar', [os === 'darwin' ? '-czf' : '-cJf', archive, '-C', folder, name]);
  writeFileSync(join(release, 'SHA256SUMS'), sumsText(checksumsOf(release, [`${name}.${suffix}`])));
  const script = readFileSync(join(root, 'scripts/release/install.sh'), 'utf8');
  const filled = script.replaceAll('@VERSION@', '1.2.0').replaceAll('@ADDRESS@', release);
  writeFileSync(join(folder, 'install.sh'), filled);
});
afterEach(() => rmSync(folder, { recursive: true }));

const install = (...args: string[]) => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'install.sh'), ...args], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary },
    encoding: 'utf8',
  });
  expect(readdirSync(temporary)).toEqual([]);
  return { status, stdout, stderr };
};

describe.runIf(process.platform !== 'win32')('install.sh', () => {
  test('installs the program and its files below the prefix', () => {
    const { status, stdout } = install('--prefix', prefix);
    expect(status).toBe(0);
    expect(stdout).toContain(
      `Installed Lanyard 1.2.0 in ${prefix}/bin/lanyard.\nAdd ${prefix}/bin to your PATH.\n`,
    );
    for (const path of ['bin/lanyard', 'share/man/man1/lanyard.1', 'share/doc/lanyard/LICENSE']) {
      expect(existsSync(join(prefix, path))).toBe(true);
    }
    expect(readdirSync(join(prefix, 'bin'))).toEqual(['lanyard']);
  });

  test('uses ~/.local without --prefix, and replaces an installed version', () => {
    expect(install().status).toBe(0);
    expect(install().status).toBe(0);
    expect(existsSync(join(folder, '.local/bin/lanyard'))).toBe(true);
  });

  test('installs nothing if the checksum is wrong', () => {
    const archive = join(release, `${name}.${suffix}`);
    writeFileSync(archive, Buffer.concat([readFileSync(archive), Buffer.from('x')]));
    const { status, stderr } = install('--prefix', prefix);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: wrong checksum of lanyard-1\.2\.0-/);
    expect(existsSync(prefix)).toBe(false);
  });

  test('fails if SHA256SUMS does not list the archive', () => {
    writeFileSync(join(release, 'SHA256SUMS'), '');
    expect(install().stderr).toBe(`error: SHA256SUMS has no ${name}.${suffix}\n`);
  });

  test('fails without the release, and for unknown arguments', () => {
    expect(install('--from', join(folder, 'none')).stderr).toContain(
      `error: cannot get ${folder}/none/SHA256SUMS`,
    );
    expect(install('--prefx', 'x').stderr).toContain('error: unknown argument: --prefx');
    expect(install('--prefix').stderr).toBe('error: --prefix needs a value\n');
  });

  test('replaces links, rejects directories and links to directories', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'kept');
    mkdirSync(join(prefix, 'bin'), { recursive: true });
    symlinkSync(victim, join(prefix, 'bin/lanyard'));
    expect(install('--prefix', prefix).status).toBe(0);
    expect(readFileSync(victim, 'utf8')).toBe('kept');
    rmSync(prefix, { recursive: true });
    mkdirSync(join(prefix, 'bin/lanyard'), { recursive: true });
    expect(install('--prefix', prefix)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `error: ${prefix}/bin/lanyard is a directory\n`,
    });
    rmSync(prefix, { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(prefix);
    symlinkSync(join(folder, 'elsewhere'), join(prefix, 'share'));
    expect(install('--prefix', prefix).stderr).toBe(`error: ${prefix}/share is a symbolic link\n`);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  });

  test('installs readable files whatever the umask is, and removes them again, and nothing else', () => {
    const script = join(folder, 'install.sh');
    const ran = spawnSync('sh', ['-c', `umask 077; sh '${script}' --prefix '${prefix}'`], {
      encoding: 'utf8',
    });
    expect(ran.status, ran.stderr).toBe(0);
    expect(statSync(join(prefix, 'bin/lanyard')).mode & 0o777).toBe(0o755);
    expect(statSync(join(prefix, 'share')).mode & 0o777).toBe(0o755);
    writeFileSync(join(prefix, 'bin/other'), '');
    expect(install('--uninstall', '--prefix', prefix).stdout).toBe(`Removed Lanyard from ${prefix}.\n`);
    const left = readdirSync(prefix, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name: file }) => file)).toEqual(['other']);
    expect(install('--uninstall', '--prefix', prefix).status).toBe(1);
  });

  test('does nothing or fails if it is cut off', () => {
    const script = readFileSync(join(folder, 'install.sh'), 'utf8');
    const lengths = Array.from({ length: 24 }, (_, index) => script.length - 2 - index);
    for (let length = 1; length < script.length; length += 197) lengths.push(length);
    for (const length of lengths) {
      spawnSync('sh', ['-s', '--', '--prefix', prefix], {
        input: script.slice(0, length),
        env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
      });
      expect(existsSync(prefix) || existsSync(join(folder, '.local')), `${length} characters`).toBe(false);
    }
  });

  test('loads only from https, or from this machine', () => {
    expect(install('--from', 'http://example.com/release').stderr).toBe(
      'error: the address of the release must begin with https://\n',
    );
    expect(readFileSync(join(folder, 'install.sh'), 'utf8')).toContain('--proto-redir "=$scheme"');
  });
});
