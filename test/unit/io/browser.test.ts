import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowser } from '../../../src/io/browser.ts';
import { folderForTest } from '../../support/folders.ts';

const room = join(import.meta.dirname, '../../../src/io/browser.ts');

test.skipIf(process.platform !== 'linux')('gives the address to the browser of the user', async () => {
  const folder = folderForTest();
  const seen = join(folder, 'seen');
  const browser = join(folder, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${seen}.part" && mv "${seen}.part" "${seen}"\n`);
  chmodSync(browser, 0o700);
  // A browser that is installed on the machine would come before the one of the variable.
  const nobodysDesktop = { DISPLAY: ':0', HOME: folder, XDG_DATA_DIRS: folder, XDG_CONFIG_DIRS: folder };
  const url = "https://idp.example.com/authorize?state=a&b='$(touch x)'";
  const program = `import { openBrowser } from ${JSON.stringify(room)};
    console.log(await openBrowser(process.argv[1], { env: process.env, platform: process.platform }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', program, url],
    { env: { ...nobodysDesktop, PATH: process.env.PATH, BROWSER: browser }, encoding: 'utf8', cwd: folder },
  );
  expect(stdout, stderr).toBe('true\n');
  await expect.poll(() => existsSync(seen)).toBe(true);
  expect(readFileSync(seen, 'utf8')).toBe(url);
});

test('opens nothing where there is no display', async () => {
  expect(await openBrowser('https://idp.example.com/', { env: {}, platform: 'linux' })).toBe(false);
});
