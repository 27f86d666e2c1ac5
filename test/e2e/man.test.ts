import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderForAll } from '../support/folders.ts';
import { withoutOverstrikes } from '../support/overstrikes.ts';
import { has, pathOf } from '../support/require.ts';

// The bundle in dist/ on a pseudo-terminal, with the programs of the system that show man pages.
const launcher = join(import.meta.dirname, '../../bin/lanyard.js');
const home = folderForAll();

/** A folder for PATH with nothing but these programs. */
function programs(name: string, all: Readonly<Record<string, string>>): string {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const [program, text] of Object.entries(all)) {
    if (text.startsWith('#!')) writeFileSync(join(folder, program), text, { mode: 0o700 });
    else symlinkSync(text, join(folder, program));
  }
  return folder;
}

function onTerminal(args: string, env: Readonly<Record<string, string>>): SpawnSyncReturns<string> {
  const line = `stty cols 70; exec '${process.execPath}' '${launcher}' ${args}`;
  const settings = { LANYARD_CONFIG_DIR: join(home, 'config'), LANYARD_KEYRING: 'off', TERM: 'xterm' };
  // The shell needs the usual programs; Lanyard gets the PATH of the test.
  const command = `PATH="$TEST_PATH"; ${line.replace('stty', `'${pathOf('stty')}'`)}`;
  const TEST_PATH = env.PATH ?? process.env.PATH ?? '';
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: home,
    encoding: 'utf8',
    env: { ...settings, ...env, PATH: process.env.PATH, HOME: home, TEST_PATH, SHELL: '/bin/sh' },
  });
}

/** The text of a page on the terminal; each program has its own indentation. */
const shown = (args: string, env: Readonly<Record<string, string>>): string => {
  const { status, stdout } = onTerminal(args, env);
  expect(status, stdout).toBe(0);
  const text = withoutOverstrikes(stdout.replaceAll('\r', ''));
  expect(text).toMatch(/^LANYARD-STATUS\(1\) +Lanyard Manual +LANYARD-STATUS\(1\)\n/);
  expect(text).toMatch(/\n {3,7}lanyard-status - show service health/);
  return text;
};

const cat = '/bin/cat';
const canShow = process.platform === 'linux' && has('script') && has('stty');

describe.skipIf(!canShow)('help --man on a terminal', () => {
  test.skipIf(!has('man'))('is shown by man, in the width of the terminal', () => {
    const text = shown('help --man status', { MANPAGER: cat });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(70);
    expect(text.split('\n')[0]?.length).toBeGreaterThan(60);
  });

  test.skipIf(!has('man'))('is shown with the pager of LANYARD_PAGER', () => {
    const { stdout } = onTerminal('help --man status', { LANYARD_PAGER: 'wc -l', MANPAGER: 'false' });
    expect(stdout.trim()).toMatch(/^\d+$/);
  });

  test.skipIf(!has('man'))('is printed with an empty LANYARD_PAGER', () => {
    shown('help --man status', { LANYARD_PAGER: '', MANPAGER: 'false' });
  });

  test.skipIf(!has('mandoc'))('is shown by mandoc where man is missing', () => {
    const PATH = programs('mandoc', { mandoc: pathOf('mandoc') });
    shown('help --man status', { PATH, MANPAGER: cat });
  });

  test.skipIf(!has('mandoc'))('is shown by mandoc where man reads no page from standard input', () => {
    const man = '#!/bin/sh\necho "man, version 1.6g"; [ "$1" = --version ]\n';
    const PATH = programs('other-man', { man, mandoc: pathOf('mandoc') });
    expect(shown('help --man status', { PATH, MANPAGER: cat })).not.toContain('version 1.6g');
  });

  test('is printed as text where neither exists', () => {
    const PATH = programs('neither', {});
    expect(shown('help --man status', { PATH, PAGER: cat })).not.toContain('\b');
  });
});
