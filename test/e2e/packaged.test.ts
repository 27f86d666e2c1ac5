import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The program as one file, made as `npm run package` makes it, and run as users do: by its name, on their PATH.
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'lanyard-packaged-'));
const program = join(folder, 'lanyard');
const env = {
  PATH: `${folder}:${process.env.PATH}`,
  HOME: folder,
  LANYARD_CONFIG_DIR: join(folder, 'config'),
};

beforeAll(() => {
  const made = spawnSync(process.execPath, [join(root, 'scripts/package.ts'), program], { encoding: 'utf8' });
  expect(made.status, made.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { env, cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const launcher = join(root, 'bin/lanyard.js');
const built = (...args: string[]) => run(process.execPath, launcher, ...args);

test.each([
  ['--version'],
  ['--help'],
  ['completion', 'zsh'],
  ['help', 'exit-codes'],
  ['ssh', 'sign', '--help'],
  ['profile', 'list', '-o', 'yaml'],
  ['ssh', 'sing'],
])('answers %s %s %s as the built program does', (...args) => {
  expect(run('lanyard', ...args)).toEqual(built(...args));
});

test('goes through all the services, and starts itself again for each line', () => {
  const { status, stdout, stderr } = run('lanyard', 'quickstart');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const line of ['$ lanyard ssh sign', '$ lanyard account list']) expect(stdout).toContain(line);
});

test.each(['lanyard', './lanyard', program])('called as %s names itself by its whole path to ssh', (name) => {
  const { status, stdout } = run(name, 'ssh', 'config', 'web1', '--role', 'ops', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain(`${program} ssh sign`);
});

test('keeps the exit code of what it runs', () => {
  expect(
    run('lanyard', 'dev', 'run', '--', 'sh', '-c', 'lanyard status >/dev/null || exit 1; exit 7').status,
  ).toBe(7);
});
