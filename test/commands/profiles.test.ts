import { chmodSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Home, home, type RunOptions } from '../support/run.ts';
import { words } from './signing.ts';

let at: Home;
beforeEach(() => {
  at = home();
});
afterEach(() => at.remove());
const run = (argv: string, options?: RunOptions) => at.run(words(argv), options);
const mode = (name: string): string => (statSync(at.file(name)).mode & 0o777).toString(8);
const address = 'secrets.address=http://127.0.0.1:8200';

describe('profile put', () => {
  test('writes a profile for its owner alone; the first one is active', async () => {
    expect(await run(`profile put one ${address}`)).toEqual({
      code: 0,
      stdout: 'The profile one is written, and active.\n',
      stderr: '',
    });
    expect((await run(`profile put two ${address}`)).stdout).toBe('The profile two is written.\n');
    expect(mode('config')).toBe('700');
    expect(mode('config/config.json')).toBe('600');
  });

  test('changes what is named, leaves the rest, and takes away what is empty', async () => {
    await run(`profile put p ${address} secrets.namespace=a registry.address=https://registry.example.com`);
    await run('profile put p secrets.namespace= registry.datacenter=dc1');
    expect(JSON.parse((await run('profile get p -o json')).stdout)).toEqual({
      name: 'p',
      active: true,
      secrets: { address: 'http://127.0.0.1:8200' },
      registry: { address: 'https://registry.example.com', datacenter: 'dc1' },
    });
  });

  test('keeps files of a profile as absolute paths', async () => {
    await run('profile put p secrets.ca-cert=ca.pem secrets.client-cert=c.pem secrets.client-key=sub/c.key');
    expect((await run('profile get p --field secrets.clientKey')).stdout).toBe(`${at.file('sub/c.key')}\n`);
  });

  test('stores a token from standard input in a file of mode 0600, and shows it nowhere', async () => {
    const ran = await run(`profile put p ${address} secrets.token=- -o json`, { stdin: 'hvs.precious\n' });
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('hvs.precious');
    expect(ran.stderr).toMatch(
      /^The keyring is disabled by LANYARD_KEYRING=off\. Tokens are stored unencrypted in .*credentials\.json/,
    );
    expect(mode('config/credentials.json')).toBe('600');
    expect(at.read('config/credentials.json')).toContain('hvs.precious');
    expect(at.read('config/config.json')).not.toContain('hvs.precious');
    // The notice comes once.
    expect((await run('profile put p registry.token=-', { stdin: 't' })).stderr).toBe('');
    for (const argv of [
      'profile get p',
      'profile get p -o json',
      'profile list -o yaml',
      'status -o json --verbose',
    ])
      expect(JSON.stringify(await run(argv))).not.toContain('hvs.precious');
  });

  test('stores a token from a file, and from a hidden answer on a terminal', async () => {
    at.write('token', 'hvs.from-file\n');
    await run(`profile put p ${address} secrets.token=@token`);
    expect(at.read('config/credentials.json')).toContain('"hvs.from-file"');
    const ran = await run('profile put p secrets.token=?', { columns: 80, typed: 'hvs.typed\n' });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('token of the secrets service: ');
    expect(ran.stdout + ran.stderr).not.toContain('hvs.typed');
    expect(at.read('config/credentials.json')).toContain('"hvs.typed"');
  });

  test.each([
    'secrets.token=hvs.precious',
    'secrets.tokn=hvs.precious',
    'secret.token=hvs.precious',
    'hvs.precious',
    'token=hvs.precious',
    'secrets.address=hvs.precious',
    'secrets.address=http://user:hvs.precious@127.0.0.1',
    'secrets.proxy=http://user:hvs.precious@127.0.0.1',
  ])('refuses a secret on the command line without repeating it: %s', async (setting) => {
    const ran = await run(`profile put p ${setting}`);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/^error: /);
    expect(ran.stderr).not.toContain('hvs.precious');
    expect(at.list('.')).toEqual([]);
  });

  test.each([
    ['secrets.token=-', 'token of the secrets service is empty', ''],
    ['secrets.token=@none', 'no such file', ''],
    ['secrets.token=?', 'cannot prompt for ', ''],
    ['secrets.skip-verify=maybe', 'secrets.skip-verify is true or false, not "maybe"', ''],
    ['secrets.header-prefix=Vault', 'secrets.header-prefix looks like X-Vault, not "Vault"', ''],
    ['secrets.address=ftp://x', 'secrets.address is an http or https URL', ''],
    ['nonsense', 'a setting is written SERVICE.SETTING=VALUE', ''],
  ])('%s is refused, and nothing is written', async (setting, message, stdin) => {
    const ran = await run(`profile put p ${address} ${setting}`, { stdin });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect((await run('profile list -o json')).stdout).toBe('[]\n');
  });

  test.each(['../p', '', 'a/b', '-p', '.p', 'a\nb', 'p'.repeat(65)])(
    'refuses the name %j, and writes nothing',
    async (name) => {
      const ran = await at.run(['profile', 'put', '--', name, address]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('invalid profile name');
      expect((await run('profile list -o json')).stdout).toBe('[]\n');
    },
  );

  test('of a name that a JavaScript object has already is a profile like any other', async () => {
    for (const name of ['constructor', 'toString'])
      expect((await run(`profile put ${name} ${address}`)).code).toBe(0);
    expect((await run('profile get valueOf')).code).toBe(3);
    expect((await run('profile list')).stdout).toBe('constructor\tactive\tsecrets\ntoString\t\tsecrets\n');
  });
});

describe('profile get and profile list', () => {
  test('say that there is none', async () => {
    expect(await run('profile get')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('profile get nobody')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('profile list')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run('profile list', { columns: 80 })).stdout).toMatch(/^No profiles yet\./);
  });

  test('show the active one where none is named, or the one of --profile', async () => {
    await run(`profile put one ${address}`);
    await run(`profile put two ${address} registry.address=http://127.0.0.1:8500`);
    expect((await run('profile get')).stdout).toBe(
      'name\tone\nactive\tyes\nsecrets.address\thttp://127.0.0.1:8200\n',
    );
    expect((await run('profile get --profile two')).stdout).toContain('name\ttwo\nactive\tno\n');
    expect((await run('profile list')).stdout).toBe('one\tactive\tsecrets\ntwo\t\tsecrets, registry\n');
    expect((await run('profile list --no-color', { columns: 80 })).stdout).toMatch(
      /^NAME +ACTIVE +SERVICES\none +active +secrets\ntwo +secrets, registry\n$/,
    );
    expect((await run('profile list -o jsonl')).stdout.split('\n')[1]).toBe(
      '{"name":"two","active":false,"services":["secrets","registry"]}',
    );
    expect((await run('profile list -o table')).stdout).toContain('│ two ');
  });
});

describe('profile use', () => {
  test('makes another one active', async () => {
    await run(`profile put one ${address}`);
    await run(`profile put two ${address}`);
    expect(await run('profile use two')).toEqual({
      code: 0,
      stdout: 'The profile two is active.\n',
      stderr: '',
    });
    expect((await run('profile get --field name')).stdout).toBe('two\n');
    expect(await run('profile use nobody')).toMatchObject({ code: 3, stdout: '' });
    expect((await run('profile get --field name')).stdout).toBe('two\n');
  });
});

describe('profile delete', () => {
  test('has no --curl and no --dry-run, which promise that nothing happens', async () => {
    await run(`profile put p ${address}`);
    for (const flag of ['--curl', '--dry-run']) expect((await run(`profile delete p ${flag}`)).code).toBe(2);
    expect((await run('--curl profile delete p')).stderr).toContain('--curl is not supported by');
    expect((await run('profile get p')).code).toBe(0);
  });

  test('asks on a terminal, needs --yes elsewhere, and forgets the tokens', async () => {
    await run(`profile put p ${address} secrets.token=-`, { stdin: 'hvs.precious' });
    expect(await run('profile delete p')).toMatchObject({ code: 2, stdout: '' });
    expect((await run('profile delete p', { columns: 80, typed: 'n\n' })).code).toBe(130);
    expect((await run('profile get p')).code).toBe(0);
    const ran = await run('profile delete p --no-color', { columns: 80, typed: 'y\n' });
    expect(ran).toMatchObject({ code: 0, stdout: 'The profile p is deleted.\n' });
    expect(ran.stderr).toContain('Delete the profile "p" and its stored tokens? [y/N]');
    expect(at.read('config/credentials.json')).not.toContain('hvs.precious');
    expect(await run('profile get')).toMatchObject({ code: 3 });
  });

  test('leaves the others, and the active one', async () => {
    await run(`profile put one ${address} secrets.token=-`, { stdin: 'hvs.one' });
    await run(`profile put two ${address} secrets.token=-`, { stdin: 'hvs.two' });
    expect((await run('profile delete two --yes -o json')).stdout).toBe('{\n  "deleted": "two"\n}\n');
    expect((await run('profile list')).stdout).toBe('one\tactive\tsecrets\n');
    expect(at.read('config/credentials.json')).toContain('hvs.one');
    expect(await run('profile delete two --yes')).toMatchObject({ code: 3, stdout: '' });
  });
});

test('a credentials file that others may read is not used', async () => {
  await run(`profile put p ${address} secrets.token=-`, { stdin: 'hvs.precious' });
  chmodSync(at.file('config/credentials.json'), 0o644);
  const ran = await run('ssh role list');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('(mode 0644)');
  expect(ran.stderr).not.toContain('hvs.precious');
});
