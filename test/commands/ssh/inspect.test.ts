import { describe, expect, test } from 'vitest';
import { expectFailure, jsonLines } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { makeKey, signing } from '../signing.ts';

const { at, run, done, key } = signing();

describe('ssh inspect', () => {
  test('uses the certificate of the first default key, and shows its purpose and validity', async () => {
    await done('ssh sign deploy --ttl 10m --principals admin');
    const said = await done('ssh inspect');
    expect(said).toMatch(/^certificate\tuser, ssh-ed25519-cert-v01@openssh\.com\n/);
    expect(said).toContain('\nprincipals\tadmin\n');
    expect(said).toMatch(/\nvalid until\t.* UTC \(in (9 min \d+ s|10 minutes)\)\n/);
  });

  test('reports an expired or not yet valid certificate', async () => {
    await done('ssh sign deploy --ttl 10m');
    const later = new Date(Date.now() + 3_600_000 * 2);
    expect(await done('ssh inspect', { now: later })).toMatch(/\(expired 1 h \d+ min ago\)/);
    const earlier = new Date(Date.now() - 3_600_000 * 3);
    expect(await done('ssh inspect', { now: earlier })).toMatch(
      /valid from\t.*\(not valid yet: in 2 h \d+ min\)/,
    );
    const found = JSON.parse(await done('ssh inspect -o json', { now: later }));
    expect(found.secondsLeft).toBeLessThan(0);
  });

  test('gives the same as data, from a file and from standard input', async () => {
    await done('ssh sign deploy');
    const name = '.ssh/id_ed25519-cert.pub';
    const now = new Date();
    const fromFile = await done(`ssh inspect ${name} -o json`, { now });
    expect(await done('ssh inspect - -o json', { stdin: at.read(name), now })).toBe(fromFile);
    expect(JSON.parse(fromFile)).toMatchObject({
      what: 'certificate',
      kind: 'user',
      principals: ['ubuntu'],
      extensions: { 'permit-pty': '' },
      criticalOptions: {},
      serial: expect.stringMatching(/^\d+$/),
      signatureValid: true,
      validBefore: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/),
    });
    expect(await done('ssh inspect --field principals.0')).toBe('ubuntu\n');
    expect(await done('ssh inspect -o env')).toContain("kind='user'\n");
    expect(await done('ssh inspect -o yaml')).toContain('kind: user\n');
    expect(await done('ssh inspect -o table')).toMatch(/│ kind +│ user +│/);
  });

  test('shows an invalid signature', async () => {
    await done('ssh sign deploy');
    const [type, blob = ''] = at.read('.ssh/id_ed25519-cert.pub').split(' ');
    const bytes = Buffer.from(blob, 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    at.write('forged.pub', `${type} ${bytes.toString('base64')}\n`);
    expect(await done('ssh inspect forged.pub')).toContain('signature\tssh-ed25519 invalid\n');
    expect(await done('ssh inspect forged.pub --field signatureValid')).toBe('false\n');
  });

  test('reads a public and a private key, and shows nothing of the private half', async () => {
    const { privatePem } = makeKey(at, 'k', 'ecdsa384');
    expect(await done('ssh inspect k.pub')).toMatch(
      /^file\tpublic key\ntype\tecdsa-sha2-nistp384, 384 bits\nfingerprint\tSHA256:\S+\ncomment\ttest@example\n$/,
    );
    const { fingerprint } = JSON.parse(await done('ssh inspect k.pub -o json'));
    const said = await done('ssh inspect k -o json');
    expect(JSON.parse(said)).toMatchObject({ what: 'private key', encrypted: false, fingerprint });
    expect(said).not.toContain(privatePem.split('\n')[1]);
    expect(await done('ssh inspect k')).toMatch(/^file\tprivate key, without a passphrase\n/);
  });

  test('lays the words out on a terminal', async () => {
    await done('ssh sign deploy');
    expect(await done('ssh inspect --no-color', { columns: 80 })).toMatch(/^principals {8}ubuntu$/m);
  });

  test('escapes what a comment has in it', async () => {
    at.write('k.pub', keyPair('ed25519', '\u202eevil').publicLine);
    expect(await done('ssh inspect k.pub', { columns: 80 })).not.toContain('\u202e');
  });

  test.each([
    ['none.pub', 2, 'no such file'],
    ['.ssh', 2, 'is a directory'],
    ['', 2, 'no certificate found'],
  ])('"ssh inspect %s" ends with %i', async (name, code, message) => {
    expectFailure(await run(`ssh inspect ${name}`), code, message);
  });

  test.each([
    ['an empty file', '', 'is empty'],
    ['a text', 'Dear Sir\n', 'is not an SSH public key'],
    ['a certificate that is cut', 'ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5\n', 'is damaged'],
    ['a private key that is cut', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n', ''],
  ])('%s is rejected with its name', async (_what, content, message) => {
    at.write('odd', content);
    const ran = await run('ssh inspect odd');
    expectFailure(ran, 2, /^error: .*odd/, message);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
  });

  test('sends nothing', async () => {
    at.write('k.pub', key.publicLine);
    expect(
      (await run('ssh inspect k.pub', { env: { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '' } })).code,
    ).toBe(0);
  });
});

describe('ssh inspect --lint', () => {
  test('is exit code 0 where nothing is an error, and 1 where something is, with findings as data', async () => {
    makeKey(at, 'fine', 'ed25519');
    expect(await run('ssh inspect --lint fine.pub')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await run('ssh inspect --lint fine.pub -o json')).stdout)).toEqual([]);
    await run('ssh role put open --allow-user-certificates --allow-empty-principals --ttl 1h');
    await run('ssh sign open --key fine.pub');
    const ran = await run('ssh inspect --lint fine-cert.pub -o jsonl');
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    const found = jsonLines(ran.stdout);
    expect(found.map(({ severity, rule }) => [severity, rule])).toEqual([
      ['error', 'any-principal'],
      ['warning', 'extensions'],
    ]);
  });
});
