import { spawn, spawnSync } from 'node:child_process';
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
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../../scripts/bundle.ts';
import { checksumsOf, sumsText } from '../../../scripts/release/checksums.ts';
import { has, pathOf } from '../../support/require.ts';

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
  mkdirSync(release);
  makeArchive({ ...files, 'share/man/man1/lanyard.1': 'page' });
  const script = readFileSync(join(root, 'scripts/release/install.sh'), 'utf8');
  const filled = script.replaceAll('@VERSION@', '1.2.0').replaceAll('@ADDRESS@', release);
  writeFileSync(join(folder, 'install.sh'), filled);
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = {
  'bin/lanyard': '#!/bin/sh\necho 1.2.0\n',
  'share/zsh/site-functions/_lanyard': '#compdef lanyard\n',
  LICENSE: 'MIT',
};

/** Makes the archive of the release, with its checksum. */
function makeArchive(contents: Readonly<Record<string, string>>): void {
  rmSync(join(folder, name), { recursive: true, force: true });
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  chmodSync(join(folder, name, 'bin/lanyard'), 0o755);
  const archive = join(release, `${name}.${suffix}`);
  spawnSync('tar', [os === 'darwin' ? '-czf' : '-cJf', archive, '-C', folder, name]);
  writeFileSync(join(release, 'SHA256SUMS'), sumsText(checksumsOf(release, [`${name}.${suffix}`])));
}

/** All files and directories below the prefix. */
const installed = (): readonly string[] => readdirSync(prefix, { recursive: true }).map(String).sort();

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  return { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, 'tmp'), ...more };
};

const installWith = (more: NodeJS.ProcessEnv, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'install.sh'), ...args], {
    env: environment(more),
    cwd: folder,
    encoding: 'utf8',
  });
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  return { status, stdout, stderr };
};
const install = (...args: string[]) => installWith({}, ...args);

/** A folder for PATH with these programs of the system. */
function programs(...names: string[]): string {
  const bin = join(folder, 'programs');
  mkdirSync(bin);
  for (const each of names) symlinkSync(pathOf(each), join(bin, each));
  return bin;
}

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
    mkdirSync(join(prefix, 'share/doc/lanyard/own'));
    expect(install('--uninstall', '--prefix', prefix).stdout).toBe(`Removed Lanyard from ${prefix}.\n`);
    expect(installed()).toEqual([
      'bin',
      'bin/other',
      'share',
      'share/doc',
      'share/doc/lanyard',
      'share/doc/lanyard/own',
    ]);
    expect(install('--uninstall', '--prefix', prefix)).toMatchObject({
      status: 1,
      stderr: `error: no list of installed files in ${prefix}\n`,
    });
  });

  test('removes what only the version before had, and keeps directories that existed', () => {
    mkdirSync(join(prefix, 'share/man'), { recursive: true });
    expect(install('--prefix', prefix).status).toBe(0);
    expect(installed()).toContain('share/man/man1/lanyard.1');
    makeArchive({ ...files, 'share/man/man5/lanyard-config.5': 'page' });
    expect(install('--prefix', 'a prefix/').stderr).toBe('');
    expect(installed()).not.toContain('share/man/man1/lanyard.1');
    expect(installed()).toContain('share/man/man5/lanyard-config.5');
    expect(install('--uninstall', '--prefix', prefix).status).toBe(0);
    expect(installed()).toEqual(['share', 'share/man']);
  });

  test('keeps the installed program if it is interrupted, and removes all files afterwards', () => {
    expect(install('--prefix', prefix).status).toBe(0);
    makeArchive({ ...files, 'bin/lanyard': '#!/bin/sh\necho 1.3.0\n', 'share/man/man7/lanyard.7': 'new' });
    const bin = programs();
    const cp = `#!/bin/sh\ncase $2 in */man7/*) kill -TERM $PPID ;; esac\nexec ${pathOf('cp')} "$@"\n`;
    writeFileSync(join(bin, 'cp'), cp, { mode: 0o755 });
    expect(installWith({ PATH: `${bin}:${process.env.PATH}` }, '--prefix', prefix).status).toBe(143);
    expect(readFileSync(join(prefix, 'bin/lanyard'), 'utf8')).toContain('1.2.0');
    expect(installed().filter((path) => path.includes('.new'))).toEqual([]);
    expect(install('--uninstall', '--prefix', prefix).status).toBe(0);
    expect(installed()).toEqual([]);
  });

  test('fails and does nothing if it is cut off', () => {
    const script = readFileSync(join(folder, 'install.sh'), 'utf8');
    const lengths = Array.from({ length: 24 }, (_, index) => script.length - 2 - index);
    for (let length = 1; length < script.length; length += 197) lengths.push(length);
    for (const length of lengths) {
      const { status } = spawnSync('sh', ['-s', '--', '--prefix', prefix], {
        input: script.slice(0, length),
        env: environment(),
      });
      expect(status === 0, `${length} characters`).toBe(length <= '#!/bin/sh\n'.length);
      expect(existsSync(prefix) || existsSync(join(folder, '.local')), `${length} characters`).toBe(false);
    }
  });

  test('loads only from https, or from this machine', () => {
    expect(install('--from', 'http://example.com/release').stderr).toBe(
      'error: the address of the release must begin with https://\n',
    );
    for (const address of [
      'http://localhost:1@example.com',
      'http://127.0.0.1.example.com',
      'ftp://127.0.0.1',
    ])
      expect(install('--from', address).stderr, address).toMatch(/must begin with https/);
  });

  const tools = [
    'sh',
    'uname',
    'mktemp',
    'sed',
    'tail',
    'sha256sum',
    'xz',
    'tar',
    'find',
    'dirname',
    'cp',
    'mv',
    'rm',
  ];
  const others = ['rmdir', 'mkdir', 'chmod', 'cat', 'sort', 'grep'];
  describe.runIf(os === 'linux').each(['curl', 'wget'])('with %s', (loader) => {
    test.runIf(has(loader))('follows redirects to the same scheme only', async () => {
      const server = createServer(({ url = '' }, response) => {
        const [, kind = '', file = ''] = url.split('/');
        if (kind === 'files') response.end(readFileSync(join(release, file)));
        else if (kind === 'moved') response.writeHead(302, { Location: `/files/${file}` }).end();
        else response.writeHead(302, { Location: `ftp://127.0.0.1/${file}` }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const env = environment({ PATH: programs(loader, ...tools, ...others) });
      const run = async (from: string) => {
        const child = spawn('/bin/sh', [join(folder, 'install.sh'), '--from', from, '--prefix', prefix], {
          env,
        });
        const [stderr, status] = await Promise.all([
          text(child.stderr),
          new Promise((resolve) => child.on('close', resolve)),
        ]);
        return { status, stderr };
      };
      const elsewhere = await run(`${address}/elsewhere`);
      expect(elsewhere.status).toBe(1);
      expect(elsewhere.stderr).toContain(`error: cannot get ${address}/elsewhere/SHA256SUMS\n`);
      expect(await run(`${address}/moved`)).toEqual({ status: 0, stderr: '' });
      expect(existsSync(join(prefix, 'bin/lanyard'))).toBe(true);
    });
  });

  test.runIf(has('zsh'))('names the line with which zsh loads the completion', () => {
    const [, line = ''] = /compinit:\n {2}(.*)\n$/.exec(install('--prefix', prefix).stdout) ?? [];
    const shown = spawnSync(
      'zsh',
      ['-fc', `${line}; autoload -Uz compinit; compinit -u -D; print $_comps[lanyard]`],
      {
        encoding: 'utf8',
      },
    );
    expect([shown.stdout, shown.stderr]).toEqual(['_lanyard\n', '']);
    writeFileSync(join(folder, '.zshrc'), `${line}\nautoload -Uz compinit && compinit\n`);
    expect(install('--prefix', prefix).stdout).not.toContain('zsh');
  });
});
