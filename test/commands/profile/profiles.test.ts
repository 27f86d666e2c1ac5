import { chmodSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  expectExit,
  expectFailure,
  expectOutput,
  homeForEach,
  runnerOf,
} from '../../support/command-tests.ts';

const at = homeForEach();
const run = runnerOf(at);
const mode = (name: string): string => (statSync(at.file(name)).mode & 0o777).toString(8);
const address = 'secrets.address=http://127.0.0.1:8200';

describe('profile put', () => {
  test('writes a profile with owner-only permissions; the first one becomes active', async () => {
    expectOutput(await run(`profile put one ${address}`), 'Wrote profile one, which is active.\n');
    expect((await run(`profile put two ${address}`)).stdout).toBe('Wrote profile two.\n');
    expect(mode('config')).toBe('700');
    expect(mode('config/config.json')).toBe('600');
  });

  test('changes the given settings, keeps others, and removes empty ones', async () => {
    await run(`profile put p ${address} secrets.namespace=a registry.address=https://registry.example.com`);
    await run('profile put p secrets.namespace= registry.datacenter=dc1');
    expect(JSON.parse((await run('profile get p -o json')).stdout)).toEqual({
      name: 'p',
      active: true,
      secrets: { address: 'http://127.0.0.1:8200' },
      registry: { address: 'https://registry.example.com', datacenter: 'dc1' },
    });
  });

  test('stores file names as absolute paths', async () => {
    await run('profile put p secrets.ca-cert=ca.pem secrets.client-cert=c.pem secrets.client-key=sub/c.key');
    expect((await run('profile get p --field secrets.clientKey')).stdout).toBe(`${at.file('sub/c.key')}\n`);
  });

  test('stores a token from standard input in a file of mode 0600, and never shows it', async () => {
    const ran = await run(`profile put p ${address} secrets.token=- -o json`, { stdin: 'hvs.precious\n' });
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('hvs.precious');
    expect(ran.stderr).toMatch(
      /^The keyring is disabled by LANYARD_KEYRING=off; tokens are stored in .*credentials\.json \(mode 0600\)\./,
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

  test('stores a token from a file, and from a hidden prompt', async () => {
    at.write('token', 'hvs.from-file\n');
    await run(`profile put p ${address} secrets.token=@token`);
    expect(at.read('config/credentials.json')).toContain('"hvs.from-file"');
    const ran = await run('profile put p secrets.token=?', { columns: 80, typed: 'hvs.typed\n' });
    expectExit(ran, 0, 'token of the secrets service: ');
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
  ])('rejects a secret on the command line without repeating it: %s', async (setting) => {
    const ran = await run(`profile put p ${setting}`);
    expectFailure(ran, 2, /^error: /);
    expect(ran.stderr).not.toContain('hvs.precious');
    expect(at.list('.')).toEqual([]);
  });

  test.each([
    ['secrets.token=-', 'token of the secrets service is empty', ''],
    ['secrets.token=@none', 'no such file', ''],
    ['secrets.token=?', 'cannot prompt for ', ''],
    ['secrets.skip-verify=maybe', 'invalid secrets.skip-verify "maybe": expected true or false', ''],
    [
      'secrets.header-prefix=Vault',
      'invalid secrets.header-prefix "Vault": expected a prefix such as X-Vault',
      '',
    ],
    ['secrets.address=ftp://x', 'invalid secrets.address: expected an http or https URL', ''],
    ['nonsense', 'invalid setting: expected SERVICE.SETTING=VALUE', ''],
  ])('rejects %s and writes nothing', async (setting, message, stdin) => {
    expectFailure(await run(`profile put p ${address} ${setting}`, { stdin }), 2, message);
    expect((await run('profile list -o json')).stdout).toBe('[]\n');
  });

  test.each(['../p', '', 'a/b', '-p', '.p', 'a\nb', 'p'.repeat(65)])(
    'rejects the name %j and writes nothing',
    async (name) => {
      expectFailure(await at.run(['profile', 'put', '--', name, address]), 2, 'invalid profile name');
      expect((await run('profile list -o json')).stdout).toBe('[]\n');
    },
  );

  test('accepts names of built-in JavaScript properties', async () => {
    for (const name of ['constructor', 'toString'])
      expect((await run(`profile put ${name} ${address}`)).code).toBe(0);
    expect((await run('profile get valueOf')).code).toBe(3);
    expect((await run('profile list')).stdout).toBe('constructor\tactive\tsecrets\ntoString\t\tsecrets\n');
  });
});

describe('profile get and profile list', () => {
  test('report that no profile exists', async () => {
    expect(await run('profile get')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('profile get missing')).toMatchObject({ code: 3, stdout: '' });
    expect(await run('profile list')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run('profile list', { columns: 80 })).stdout).toMatch(
      /^No profiles\. Run `lanyard profile put`/,
    );
  });

  test('show the active profile by default, or the profile of --profile', async () => {
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
  test('changes the active profile', async () => {
    await run(`profile put one ${address}`);
    await run(`profile put two ${address}`);
    expectOutput(await run('profile use two'), 'Set the active profile to two.\n');
    expect((await run('profile get --field name')).stdout).toBe('two\n');
    expect(await run('profile use missing')).toMatchObject({ code: 3, stdout: '' });
    expect((await run('profile get --field name')).stdout).toBe('two\n');
  });
});

describe('profile delete', () => {
  test('does not support --curl and --dry-run', async () => {
    await run(`profile put p ${address}`);
    for (const flag of ['--curl', '--dry-run']) expect((await run(`profile delete p ${flag}`)).code).toBe(2);
    expect((await run('--curl profile delete p')).stderr).toContain('--curl is not supported by');
    expect((await run('profile get p')).code).toBe(0);
  });

  test('prompts on a terminal, requires --yes otherwise, and removes the tokens', async () => {
    await run(`profile put p ${address} secrets.token=-`, { stdin: 'hvs.precious' });
    expect(await run('profile delete p')).toMatchObject({ code: 2, stdout: '' });
    expect((await run('profile delete p', { columns: 80, typed: 'n\n' })).code).toBe(1);
    expect((await run('profile get p')).code).toBe(0);
    const ran = await run('profile delete p --no-color', { columns: 80, typed: 'y\n' });
    expect(ran).toMatchObject({ code: 0, stdout: 'Deleted profile p.\n' });
    expect(ran.stderr).toContain('Delete profile "p" and its stored tokens? This cannot be undone. [y/N]');
    expect(at.read('config/credentials.json')).not.toContain('hvs.precious');
    expect(await run('profile get')).toMatchObject({ code: 3 });
  });

  test('keeps other profiles and the active one', async () => {
    await run(`profile put one ${address} secrets.token=-`, { stdin: 'hvs.one' });
    await run(`profile put two ${address} secrets.token=-`, { stdin: 'hvs.two' });
    expect((await run('profile delete two --yes -o json')).stdout).toBe('{\n  "deleted": "two"\n}\n');
    expect((await run('profile list')).stdout).toBe('one\tactive\tsecrets\n');
    expect(at.read('config/credentials.json')).toContain('hvs.one');
    expect(await run('profile delete two --yes')).toMatchObject({ code: 3, stdout: '' });
  });
});

test('rejects a credentials file that is readable by others', async () => {
  await run(`profile put p ${address} secrets.token=-`, { stdin: 'hvs.precious' });
  chmodSync(at.file('config/credentials.json'), 0o644);
  const ran = await run('ssh role list');
  expectFailure(ran, 1, '(mode 0644)');
  expect(ran.stderr).not.toContain('hvs.precious');
});
