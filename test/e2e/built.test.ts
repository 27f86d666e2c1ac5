import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

// The bundle in dist/, which `npm test` has just built: what users run, through the launcher.
const launcher = join(import.meta.dirname, '../../bin/lanyard.js');
const home = mkdtempSync(join(tmpdir(), 'lanyard-built-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function lanyard(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANYARD_CONFIG_DIR: join(home, 'config'),
    LANYARD_KEYRING: 'off',
  };
  return spawnSync(process.execPath, [launcher, ...args], { env, cwd: home, encoding: 'utf8' });
}

describe('the built program', () => {
  test('says its version', () => {
    const { status, stdout, stderr } = lanyard('--version');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('brings the licences of the libraries inside it', () => {
    const terms = readFileSync(join(import.meta.dirname, '../../dist/licenses.txt'), 'utf8');
    for (const name of ['got', 'sshpk', 'chalk', 'yaml'])
      expect(terms).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('signs a key on the quickstart’s embedded services', () => {
    const { status, stdout, stderr } = lanyard('quickstart');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Wrote id_ed25519-cert.pub.');
  });

  test.each(['json', 'jsonl', 'yaml', 'table', 'env', 'dotenv', 'github-env', 'text'])(
    'shows a result as %s',
    (format) => {
      const { status, stdout, stderr } = lanyard('status', '-o', format, '--field', '0.state');
      expect({ status, stdout }).toEqual({ status: 0, stdout: 'not set\n' });
      expect(stderr).toMatch(/^no service is configured\. .*\n$/);
      // A list has no names that variables could have.
      expect(lanyard('profile', 'list', '-o', format).status).toBe(/env/.test(format) ? 2 : 0);
    },
  );

  test('passes a child’s exit code on', () => {
    expect(lanyard('dev', 'run', '--', 'sh', '-c', 'exit 7').status).toBe(7);
  });

  test.each(['bash', 'zsh', 'fish', 'powershell'])('prints the completion script for %s', (shell) => {
    const { status, stdout } = lanyard('completion', shell);
    expect(status).toBe(0);
    expect(stdout.length).toBeGreaterThan(1000);
  });
});
