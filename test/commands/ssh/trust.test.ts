import { statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const known = '.ssh/known_hosts';
const mode = (name: string): string => (statSync(at.file(name)).mode & 0o777).toString(8);
const key = async (): Promise<string> => (await done('ssh ca public-key')).trim();

test('ssh trust --hosts adds a line to known_hosts once, and touches no other', async () => {
  const mine = 'web1 ssh-ed25519 AAAA\n# @cert-authority *.example.com\n@revoked * ssh-ed25519 AAAA';
  at.write(known, mine, 0o644);
  const line = `@cert-authority *.example.com,10.0.0.* ${await key()}`;
  const argv = 'ssh trust --hosts *.example.com --hosts 10.0.0.*';
  expect(await done(argv)).toContain('Added the CA to');
  expect(at.read(known)).toBe(`${mine}\n${line}\n`);
  expect(mode(known)).toBe('644');
  expect(await done(argv)).toContain('The CA is already in');
  expect(at.read(known)).toBe(`${mine}\n${line}\n`);
  await done('ssh trust --hosts *.example.org');
  expect(at.read(known)).toBe(`${mine}\n${line}\n@cert-authority *.example.org ${await key()}\n`);
});

test('ssh trust --hosts replaces a line with another comment', async () => {
  at.write(known, `@cert-authority  *.example.com ${await key()} our CA\n`);
  expect(await done('ssh trust --hosts *.example.com')).toContain('The CA is already in');
});

test('ssh trust --users adds the key to the file that sshd reads, and prints the line for sshd_config', async () => {
  const file = at.file('trusted.pem');
  expect(await done(`ssh trust --users ${file}`)).toContain(`TrustedUserCAKeys ${file}\n`);
  expect(at.read('trusted.pem')).toBe(`${await key()}\n`);
  expect(mode('trusted.pem')).toBe('644');
  at.write('trusted.pem', `# ours\nssh-ed25519 AAAA other\n${await key()} with a comment`, 0o600);
  const before = at.read('trusted.pem');
  expect(await done(`ssh trust --users ${file}`)).toContain('The CA is already in');
  expect(at.read('trusted.pem')).toBe(before);
  at.clear('trusted.pem');
});

test('ssh trust without a file, and with --dry-run, prints the lines and writes nothing', async () => {
  const before = at.list();
  for (const argv of ['ssh trust', `ssh trust --hosts * --users ${at.file('t')} --dry-run`]) {
    const said = await done(argv);
    expect(said).toContain(`\n@cert-authority * ${await key()}\n`);
    expect(said).toContain('\nTrustedUserCAKeys ');
  }
  expect(at.list()).toEqual(before);
});

test('ssh trust returns what changed as data', async () => {
  const argv = 'ssh trust --hosts * -o json';
  expect(JSON.parse(await done(argv))).toMatchObject({ changed: { knownHosts: true } });
  expect(JSON.parse(await done(argv))).toMatchObject({ changed: { knownHosts: false } });
});

test('ten concurrent processes lose nothing', async () => {
  const all = Array.from({ length: 10 }, (_, index) => run(`ssh trust --hosts h${index}`));
  for (const ran of await Promise.all(all)) expect(ran).toMatchObject({ code: 0 });
  expect(at.read(known).trim().split('\n')).toHaveLength(10);
});

test('ssh trust follows no symbolic link, takes no other text for a key, and needs a CA', async () => {
  at.write('elsewhere', '');
  symlinkSync(at.file('elsewhere'), at.file(known));
  expect(await run('ssh trust --hosts *')).toMatchObject({ code: 2 });
  expect(at.read('elsewhere')).toBe('');
  expect(await run('ssh trust --known-hosts k')).toMatchObject({ code: 2 });
  expect(await run('ssh trust --hosts a,!')).toMatchObject({ code: 2 });
  await at.run(['api', 'secrets', 'POST', 'sys/mounts/bare', '--data', '-'], { stdin: '{"type":"ssh"}' });
  expect(await run('ssh trust --mount bare')).toMatchObject({ code: 3 });
});
