import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keyPair } from '../../support/keys.ts';
import { serve } from '../../unit/api/support.ts';
import { signing } from '../signing.ts';

const { at, run, done, key } = signing();

/** Runs a signing that must be rejected before anything is sent or written; gives what is said. */
async function rejection(argv: string, stdin?: string): Promise<string> {
  const service = await serve((_seen, response) => response.end());
  const before = at.list();
  const ran = await run(`${argv} --address ${service.url}`, stdin === undefined ? {} : { stdin });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).not.toMatch(/^\s+at /m);
  expect(service.seen).toEqual([]);
  expect(at.list()).toEqual(before);
  return ran.stderr;
}

describe('a key that cannot be signed is rejected with its name before anything is sent', () => {
  test('a private key', async () => {
    const text = await rejection('ssh sign deploy --key .ssh/id_ed25519');
    expect(text).toMatch(/^error: .*\.ssh\/id_ed25519.* private key/);
    expect(text).toContain('.ssh/id_ed25519.pub');
    expect(text).not.toContain(key.privatePem.split('\n')[1]);
  });

  test('a private key on standard input', async () => {
    expect(await rejection('ssh sign deploy --key -', key.privatePem)).toMatch(
      /^error: standard input.* private key/,
    );
  });

  test('a missing file', async () => {
    expect(await rejection('ssh sign deploy --key none.pub')).toBe(
      `error: cannot read the public key from ${at.file('none.pub')}: no such file\n`,
    );
  });

  test('a folder', async () => {
    mkdirSync(at.file('folder.pub'));
    expect(await rejection('ssh sign deploy --key folder.pub')).toBe(
      `error: cannot read the public key from ${at.file('folder.pub')}: is a directory\n`,
    );
  });

  test.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    at.write('closed.pub', key.publicLine);
    chmodSync(at.file('closed.pub'), 0);
    expect(await rejection('ssh sign deploy --key closed.pub')).toContain('permission denied');
  });

  test.each([
    ['an empty file', '', /is empty/],
    ['a file of blank lines', '\n \n', /is empty/],
    ['a file of comments', '# none\n', /contains no key/],
    ['a text', 'Dear Sir\n', /is not an SSH public key/],
    ['bytes', Buffer.from([0, 1, 2, 255]), /is not UTF-8 text/],
    ['base64 that is cut off', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEBZ\n', /is damaged/],
    ['no base64', 'ssh-ed25519\n', /is damaged/],
    [
      'a type that does not fit',
      keyPair('ed25519').publicLine.replace('ssh-ed25519', 'ssh-rsa'),
      /is damaged/,
    ],
    ['two keys', keyPair('ed25519').publicLine + keyPair('ed25519').publicLine, /has 2 lines/],
    ['options of authorized_keys', `no-pty ${keyPair('ed25519').publicLine}`, /text before the key/],
    ['a PEM public key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', /PKCS8/],
  ])('%s', async (_what, content, message) => {
    at.write('odd.pub', content);
    const text = await rejection('ssh sign deploy --key odd.pub');
    expect(text).toMatch(/^error: .*odd\.pub/);
    expect(text).toMatch(message);
  });

  test('a file of more than a mebibyte', async () => {
    at.write('long.pub', `${'# \n'.repeat(400_000)}${key.publicLine}`);
    expect(await rejection('ssh sign deploy --key long.pub')).toContain('longer than');
  });

  test('a certificate', async () => {
    await done('ssh sign deploy');
    expect(await rejection('ssh sign deploy --key .ssh/id_ed25519-cert.pub')).toMatch(
      /id_ed25519-cert\.pub is a certificate; expected a public key/,
    );
  });

  test('an empty standard input', async () => {
    expect(await rejection('ssh sign deploy --key -', '')).toMatch(/^error: standard input is empty/);
  });
});

describe('a key with special but valid content is signed', () => {
  test.each([
    ['Windows line ends', (line: string) => line.replace('\n', '\r\n')],
    ['a byte order mark', (line: string) => `\ufeff${line}`],
    ['no newline at the end', (line: string) => line.trimEnd()],
    ['comments and blank lines around it', (line: string) => `# mine\n\n${line}\n`],
    [
      'a comment of several words, with accents',
      (line: string) => line.replace('test@example', 'Jörg’s key'),
    ],
    ['no comment', (line: string) => line.replace(' test@example', '')],
  ])('%s', async (_what, change) => {
    at.write('k.pub', change(key.publicLine));
    expect(await done('ssh sign deploy --key k.pub')).toContain('Wrote k-cert.pub.');
  });
});
