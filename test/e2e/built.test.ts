import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serviceNames } from '../../src/wire/services.ts';
import { folderForAll } from '../support/folders.ts';

// The bundle in dist/, which `npm test` has just built: what users run, through the launcher.
const launcher = join(import.meta.dirname, '../../bin/lanyard.js');
const home = folderForAll();

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

  test.skipIf(process.platform === 'win32')('keeps nothing in the current directory without a home', () => {
    const cwd = join(home, 'elsewhere');
    mkdirSync(cwd);
    const env = { PATH: process.env.PATH, HOME: '', XDG_CACHE_HOME: 'cache' };
    expect(spawnSync(process.execPath, [launcher, '--version'], { env, cwd }).status).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
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

  test.each(serviceNames)('prints the OpenAPI document of %s', (service) => {
    const { status, stdout } = lanyard('dev', '--openapi', service);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' });
  });

  test.each(['bash', 'zsh', 'fish', 'powershell'])('prints the completion script for %s', (shell) => {
    const { status, stdout } = lanyard('completion', shell);
    expect(status).toBe(0);
    expect(stdout.length).toBeGreaterThan(1000);
  });

  // The bundle leaves out parts of the libraries that read them (scripts/bundle.ts).
  test.each([
    ['RSA in PKCS #1', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'pkcs1', 'ssh-rsa'],
    ['RSA in PKCS #8', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'pkcs8', 'ssh-rsa'],
    ['ECDSA in SEC 1', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sec1', 'ecdsa-sha2-nistp256'],
    ['ECDSA in PKCS #8', generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'pkcs8', 'ecdsa-sha2-nistp521'],
    ['Ed25519 in PKCS #8', generateKeyPairSync('ed25519'), 'pkcs8', 'ssh-ed25519'],
  ] as const)('reads a private key: %s', (_name, { privateKey }, type, expected) => {
    const file = join(home, 'key.pem');
    const options = { format: 'pem', type } as Parameters<KeyObject['export']>[0];
    writeFileSync(file, String(privateKey.export(options)), { mode: 0o600 });
    const { status, stdout, stderr } = lanyard('ssh', 'inspect', file, '-o', 'json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`"${expected}"`);
  });

  test('changes profiles', () => {
    const address = 'secrets.address=http://127.0.0.1:8200';
    expect(lanyard('profile', 'put', 'built', address)).toMatchObject({ status: 0 });
    expect(lanyard('profile', 'get', 'built', '-o', 'json').stdout).toContain('"http://127.0.0.1:8200"');
  });
});
