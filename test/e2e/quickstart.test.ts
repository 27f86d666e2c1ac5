import { mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseArgv } from '../../src/cli/parse/program.ts';
import { homeForAll } from '../support/command-tests.ts';
import { lanyardProcess, start } from '../support/process.ts';

const at = homeForAll();

/** The arguments of a printed command line. */
const typed = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

test('quickstart completes, prints valid command lines, and removes all files', async () => {
  mkdirSync(at.file('tmp'));
  const ended = await lanyardProcess(at, ['quickstart'], { TMPDIR: at.file('tmp') });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  // A file is created before the command that reads it.
  for (const name of ['site.yaml', 'app.box']) {
    const made = ended.stdout.indexOf(`\n$ cat > ${name} <<'END'\n`);
    expect(made).toBeGreaterThan(0);
    expect(ended.stdout.indexOf('\nEND\n', made)).toBeLessThan(ended.stdout.indexOf(` ${name}`, made + 20));
  }
  const lines = ended.stdout.split('\n').filter((line) => /^\$ (?!cat )/.test(line));
  expect(lines.length).toBeGreaterThanOrEqual(6);
  for (const line of lines) {
    expect(line).toMatch(/^\$ lanyard /);
    expect((await parseArgv(typed(line.slice('$ lanyard '.length)), 80)).kind).toBe('run');
  }
  expect(ended.stdout).toMatch(/^certificate\tuser, ssh-ed25519-cert-v01@openssh\.com$/m);
  expect(ended.stdout).toMatch(/^principals\tubuntu$/m);
  expect(ended.stdout).toMatch(/"principals": \[\n? *"ubuntu"/);
  expect(ended.stdout).toContain('End of the tour; its services and files were removed.');
  expect(readdirSync(at.file('tmp'))).toEqual([]);
  expect(at.list('.')).toEqual([]);
});

test('an interrupted quickstart exits with 130, and removes all files', async () => {
  mkdirSync(at.file('tmp'), { recursive: true });
  const running = start(at, ['quickstart'], { TMPDIR: at.file('tmp') });
  await running.until(/\$ lanyard status/);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect(readdirSync(at.file('tmp'))).toEqual([]);
});

test('quickstart ignores the profiles and variables of the user', async () => {
  await at.run(['profile', 'put', 'mine', 'secrets.address=http://127.0.0.1:1']);
  const env = { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: 'x', LANYARD_PROFILE: 'mine' };
  const ended = await lanyardProcess(at, ['quickstart'], env);
  expect(ended.stderr).toBe('');
  expect(ended.code).toBe(0);
  expect((await at.run(['profile', 'list'])).stdout).toBe('mine\tactive\tsecrets\n');
});

test('quickstart reports a temporary directory that cannot be used', async () => {
  const ended = await lanyardProcess(at, ['quickstart'], { TMPDIR: at.file('missing') });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `error: cannot create a directory in ${at.file('missing')}: no such file or directory\n`,
  );
});
