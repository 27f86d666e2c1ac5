import { expect, test } from 'vitest';
import {
  controlFile,
  debianChangelog,
  debianVersion,
  formula,
  scoopManifest,
  specFile,
} from '../../../scripts/release/packages.ts';
import { type Target, targets } from '../../../scripts/release/targets.ts';

const target = (id: string) => targets.find((each) => each.id === id) as Target;
const info = { version: '1.2.0', target: target('linux-arm64'), maintainer: 'A B <a@example.com>' };

test('the control file names architecture, dependencies and size in KiB', () => {
  const text = controlFile(info, 2049);
  expect(text).toContain('\nArchitecture: arm64\n');
  expect(text).toContain('\nInstalled-Size: 3\n');
  expect(text).toMatch(/\nDepends: libc6 \(>= 2\.28\), libgcc-s1, libstdc\+\+6\n/);
  expect(text).toMatch(/\n$/);
  // Every line is a field or continues one.
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^([A-Z][\w-]+: \S| \S)/);
});

test('a pre-release sorts before its release in Debian and RPM', () => {
  expect(debianVersion('1.2.0-rc.1')).toBe('1.2.0~rc.1');
  const spec = specFile(
    { ...info, version: '1.2.0-rc.1' },
    { root: '/r', files: ['/usr/bin/lanyard'], seconds: 0 },
  );
  expect(spec).toContain('\nVersion: 1.2.0~rc.1\n');
});

test('the Debian changelog has the date of the commit, in UTC', () => {
  expect(debianChangelog(info, new Date('2026-11-22T09:08:07Z'))).toContain(
    '\n -- A B <a@example.com>  Sun, 22 Nov 2026 09:08:07 +0000\n',
  );
});

test('the spec file lists the files, and does not strip the program', () => {
  const spec = specFile(info, { root: '/r', files: ['/usr/bin/lanyard', '/usr/x'], seconds: 1763802487 });
  expect(spec).toContain('\n/usr/bin/lanyard\n/usr/x\n');
  expect(spec).toContain('%define __strip /bin/true\n');
  expect(spec).toMatch(/\n\* Sat Nov 22 2025 A B <a@example\.com> - 1\.2\.0-1\n/);
});

const names = [
  ...['linux-x64', 'linux-arm64'].map((id) => `lanyard-1.2.0-${id}.tar.xz`),
  ...['darwin-x64', 'darwin-arm64'].map((id) => `lanyard-1.2.0-${id}.tar.gz`),
  'lanyard-1.2.0-win-x64.zip',
];
const published = {
  version: '1.2.0',
  address: 'https://example.com/v1.2.0',
  checksums: new Map(names.map((name, index) => [name, String(index).repeat(64)])),
};

test('the formula has the address and checksum of each platform', () => {
  const text = formula(published);
  for (const [index, name] of names.slice(0, 4).entries()) {
    expect(text).toContain(
      `url "https://example.com/v1.2.0/${name}"\n      sha256 "${String(index).repeat(64)}"`,
    );
  }
  const blocks = text.match(/^ *(class|on_\w+ do|def|test do|assert\w* do)\b/gm)?.length;
  expect(text.match(/^ *end$/gm)?.length).toBe(blocks);
});

test('the Scoop manifest has the address and checksum of the zip archive', () => {
  expect(JSON.parse(scoopManifest(published))).toMatchObject({
    version: '1.2.0',
    bin: 'lanyard.exe',
    architecture: {
      '64bit': {
        url: 'https://example.com/v1.2.0/lanyard-1.2.0-win-x64.zip',
        hash: '4'.repeat(64),
        extract_dir: 'lanyard-1.2.0-win-x64',
      },
    },
  });
});

test('fails if the release does not have a file', () => {
  expect(() => scoopManifest({ ...published, checksums: new Map() })).toThrow('the release has no lanyard-');
});
