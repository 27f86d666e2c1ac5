import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tracingProblem } from '../counts/system-calls.ts';

const isWindows = process.platform === 'win32';
// Daemons are there even where the PATH of a plain user does not lead.
const path = [
  ...(process.env.PATH ?? '').split(delimiter),
  ...(isWindows ? [] : ['/usr/sbin', '/usr/local/sbin']),
];
const endings = isWindows ? ['.exe', '.cmd', ''] : [''];

/**
 * Is a program on the PATH? For `describe.skipIf(!has('ssh-keygen'))`; a line on stderr says what is missing.
 * @throws Error when it is missing and `LANYARD_REQUIRE=all` says that nothing may be skipped.
 */
export function has(program: string): boolean {
  if (find(program) !== undefined) return true;
  if (process.env.LANYARD_REQUIRE === 'all') {
    throw new Error(`${program} is missing, and LANYARD_REQUIRE=all forbids to skip its tests`);
  }
  process.stderr.write(`${program} is missing: its tests are skipped\n`);
  return false;
}

/**
 * Whether the packages of the documentation site are installed; a line on stderr says what is missing.
 * @throws Error when they are missing and `LANYARD_REQUIRE=all` says that nothing may be skipped.
 */
export function hasSitePackages(): boolean {
  if (existsSync(join(import.meta.dirname, '../../site/node_modules/vitepress'))) return true;
  if (process.env.LANYARD_REQUIRE === 'all') {
    throw new Error('site/node_modules is missing, and LANYARD_REQUIRE=all forbids to skip its tests');
  }
  process.stderr.write(
    'site/node_modules is missing: the tests of the site are skipped (npm ci --prefix site)\n',
  );
  return false;
}

/**
 * Whether system calls can be traced: strace is installed, and the kernel permits ptrace, which some containers do not.
 * A line on stderr says what is missing.
 * @throws Error when strace is missing and `LANYARD_REQUIRE=all` says that nothing may be skipped.
 */
export function canTrace(): boolean {
  if (process.platform !== 'linux' || !has('strace')) return false;
  const problem = tracingProblem();
  if (problem !== undefined) process.stderr.write(`system calls are not counted: ${problem}\n`);
  return problem === undefined;
}

/**
 * Do the tests run as root? For tests of files that belong to other users; a line on stderr says that they are skipped.
 * @throws Error when they do not and `LANYARD_REQUIRE=all` says that nothing may be skipped.
 */
export function isRoot(): boolean {
  if (process.geteuid?.() === 0) return true;
  if (process.env.LANYARD_REQUIRE === 'all') {
    throw new Error('not root, and LANYARD_REQUIRE=all forbids to skip tests that need it');
  }
  process.stderr.write('not root: the tests that need it are skipped\n');
  return false;
}

/**
 * The absolute path of a program.
 * @throws Error when it is missing.
 */
export function pathOf(program: string): string {
  const found = find(program);
  if (found === undefined) throw new Error(`${program} is missing`);
  return found;
}

function find(program: string): string | undefined {
  return path
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
