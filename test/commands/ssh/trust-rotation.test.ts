import { expect, test } from 'vitest';
import { expectFailure } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const known = '.ssh/known_hosts';
const key = async (): Promise<string> => (await done('ssh ca public-key')).trim();

/** The fingerprint of a public key line, as ssh-keygen shows it. */
async function fingerprint(line: string): Promise<string> {
  at.write('ca.pub', line);
  return JSON.parse(await done('ssh inspect ca.pub -o json')).fingerprint;
}

test('--remove takes out the line that the same flags add, and no other', async () => {
  const ca = await key();
  const other = keyPair('ed25519').publicLine.trim();
  const kept = [
    '# @cert-authority *.example.com',
    `@cert-authority *.example.com ${other}`,
    `@cert-authority *.example.org ${ca}`,
    `@revoked *.example.com ${ca}`,
    `web1.example.com ${ca}`,
  ];
  at.write(known, `${kept.slice(0, 2).join('\n')}\n`);
  await done('ssh trust --hosts *.example.com --hosts 10.0.0.*');
  at.write(known, `${at.read(known)}${kept.slice(2).join('\n')}`);
  const line = `ssh trust --remove ${await fingerprint(ca)} --hosts 10.0.0.*,*.example.com`;
  const dry = await run(`${line} --dry-run`);
  expect(dry.stdout).toContain('Would remove the CA from');
  expect(at.read(known)).toContain('10.0.0.*');
  const ran = await run(line, { env: { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' } });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Removed the CA from') });
  expect(ran.stderr).toContain('lines of the CA for other hosts, which are unchanged: *.example.org');
  expect(at.read(known)).toBe(kept.join('\n'));
  expect((await run(line)).stdout).toContain('The CA is not in');
  expect(at.read(known)).toBe(kept.join('\n'));
});

test('--remove prompts before sshd is left without a CA, and keeps the others', async () => {
  const ca = await key();
  const other = keyPair('ecdsa256').publicLine.trim();
  const file = at.write('trusted.pem', `# ours\r\n${ca} a comment\r\n${other}\r\n`, 0o644);
  expect(await done(`ssh trust --remove ${await fingerprint(ca)} --users ${file}`)).toContain('Removed');
  expect(at.read('trusted.pem')).toBe(`# ours\r\n${other}\r\n`);
  const last = `ssh trust --remove ${await fingerprint(other)} --users ${file}`;
  expectFailure(await run(last), 2, 'Remove the last CA from', 'Use --yes');
  expectFailure(await run(last, { columns: 200, typed: 'n\n' }), 1, 'sshd then rejects every certificate');
  expect(at.read('trusted.pem')).toContain(other);
  expect(JSON.parse(await done(`${last} --yes -o json`))).toEqual({
    removed: await fingerprint(other),
    changed: { users: true },
  });
  expect(at.read('trusted.pem')).toBe('# ours\r\n');
});

test('--remove does not create a file, and rejects what is not a fingerprint', async () => {
  const ca = await fingerprint(await key());
  expect(await done(`ssh trust --remove ${ca} --users ${at.file('none')}`)).toContain('The CA is not in');
  expect(at.list()).not.toContain('none');
  for (const [line, text] of [
    ['--remove MD5:00 --users x', 'expected a fingerprint'],
    [`--remove ${ca}`, '--remove requires --hosts or --users'],
    [`--remove ${ca} --users x --bundle y`, '--remove and --bundle exclude each other'],
    [`--remove ${ca} --users x --issuer y`, '--remove and --issuer exclude each other'],
    ['--issuer x --bundle y', '--bundle and --issuer exclude each other'],
  ] as const)
    expectFailure(await run(`ssh trust ${line}`), 2, text);
});

test('--bundle installs the keys of a file without the service, and a file of --users is one', async () => {
  const ca = await key();
  const other = keyPair('ed25519').publicLine.trim();
  const offline = { env: { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' } };
  await done(`ssh trust --users ${at.file('bundle')}`);
  at.write('bundle', `# both\n\n${at.read('bundle')}${other}\n${ca} again\n`);
  const line = `ssh trust --bundle bundle --users ${at.file('trusted')} --hosts web`;
  const ran = await run(line, offline);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('Added 2 CAs to');
  expect(at.read('trusted')).toBe(`${ca}\n${other}\n`);
  expect(at.read(known)).toBe(`@cert-authority web ${ca}\n@cert-authority web ${other}\n`);
  expect((await run(line, offline)).stdout).toContain('The CAs are already in');
  const piped = await run('ssh trust --bundle - --hosts db', { ...offline, stdin: other });
  expect(piped.stdout).toContain('Added the CA to');
  for (const [content, text] of [
    ['', 'contains no key'],
    [`${ca}\nnonsense\n`, 'standard input, line 2'],
    [keyPair('ed25519').privatePem, 'private key'],
  ] as const)
    expectFailure(await run('ssh trust --bundle -', { ...offline, stdin: content }), 2, text);
});

test('installs the CAs of a rotation of a mount, without a token', async () => {
  const before = await key();
  await done('ssh ca rotate start');
  const next = (await done('ssh ca public-key --mount ssh-rotation-new')).trim();
  const anonymous = { env: { LANYARD_SECRETS_TOKEN: '' } };
  const ran = await run(`ssh trust --users ${at.file('both')}`, anonymous);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(at.read('both')).toBe(`${before}\n${next}\n`);
  await done('ssh ca rotate switch --yes');
  expect(JSON.parse((await run('ssh trust -o json', anonymous)).stdout).users.key).toBe(`${next}\n${before}`);
});
