import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { LanyardError } from '../../../src/errors.ts';
import { keys } from '../../../src/ssh/keys.ts';
import { wireString } from '../../../src/ssh/wire-format.ts';
import { has } from '../../support/require.ts';
import { sized } from '../../support/soak.ts';
import { Keygen, kindNames, kinds, rejection } from './keygen.ts';

const formats = [
  ['OpenSSH', [], kindNames],
  ['PEM', ['-m', 'PEM'], kindNames.filter((kind) => kind !== 'ed25519')],
  ['PKCS#8', ['-m', 'PKCS8'], kindNames.filter((kind) => kind !== 'ed25519')],
] as const;
const cases = formats.flatMap(([format, options, names]) =>
  names.map((kind) => ({ format, kind, options: [...kinds[kind], ...options] })),
);

describe.skipIf(!has('ssh-keygen'))('private keys that ssh-keygen made', () => {
  const keygen = new Keygen();
  afterAll(() => keygen.remove());

  test.each(cases)(
    '$kind in $format format is described as ssh-keygen -l describes it',
    async ({ format, kind, options }) => {
      const name = `${kind}-${format.replace('#', '')}`;
      keygen.make(name, options, { comment: 'my key' });
      const text = keygen.read(name);
      const { info } = keys.readPublicKey(keygen.read(`${name}.pub`), name);
      const key = { ...info, comment: format === 'OpenSSH' ? 'my key' : '' };
      expect(await keys.readPrivateKey(text, name)).toEqual(key);
      expect(await keys.inspect(text, name)).toEqual({ what: 'private key', key, encrypted: false });
    },
  );

  test.each(cases)(
    '$kind in $format format is recognized as encrypted without its passphrase',
    async ({ format, kind, options }) => {
      const name = `${kind}-${format.replace('#', '')}-encrypted`;
      keygen.make(name, options, { passphrase: 'correct horse' });
      const { info } = keys.readPublicKey(keygen.read(`${name}.pub`), name);
      const key = format === 'OpenSSH' ? { ...info, comment: '' } : undefined;
      expect(await keys.inspect(keygen.read(name), name)).toEqual({
        what: 'private key',
        key,
        encrypted: true,
      });
      const error = await rejection(() => keys.readPrivateKey(keygen.read(name), name));
      expect(error.message).toBe(
        `${name} is encrypted with a passphrase; expected an unencrypted private key`,
      );
      expect(error.hint).toBe(`Run \`ssh-keygen -p -f ${name}\` on a copy to remove the passphrase.`);
    },
  );

  test('a DSA key is described too, where ssh-keygen still makes them', async ({ skip }) => {
    if (!keygen.accepts('-q', '-t', 'dsa', '-N', '', '-f', 'dsa')) skip('this ssh-keygen makes no DSA keys');
    const { fingerprint } = await keys.readPrivateKey(keygen.read('dsa'), 'dsa');
    expect(fingerprint).toBe(keygen.fingerprint('dsa.pub'));
  });

  test('CRLF and text around the armour do no harm', async () => {
    keygen.make('crlf', kinds.ed25519);
    const text = `\ufeffKey of mine\r\n${keygen.read('crlf').replaceAll('\n', '\r\n')}\r\n`;
    expect((await keys.readPrivateKey(text, 'crlf')).fingerprint).toBe(keygen.fingerprint('crlf.pub'));
  });

  test('a private key whose halves do not belong together is rejected', async () => {
    keygen.make('one', kinds.ed25519, { comment: '' });
    keygen.make('two', kinds.ed25519, { comment: '' });
    const [one, two] = [blobOf(keygen.read('one')), blobOf(keygen.read('two'))];
    const start = one.length - 136 - 4;
    const mixed = Buffer.concat([one.subarray(0, start), two.subarray(start)]);
    const { message } = await rejection(() => keys.readPrivateKey(armoured(mixed), 'mixed'));
    expect(message).toBe('mixed is damaged: its private and public keys do not match');
  });

  test('whatever bytes are changed, there is a key or a usage error', async () => {
    keygen.make('changed', kinds.ecdsa256);
    const blob = blobOf(keygen.read('changed'));
    const change = fc.tuple(fc.nat(blob.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change), fc.nat(blob.length), async (changes, length) => {
        const changed = Buffer.from(blob.subarray(0, length));
        for (const [at, to] of changes) if (at < length) changed[at] = to;
        await expectHarmless(armoured(changed));
      }),
      { numRuns: sized(500, 100) },
    );
  });

  describe('a new key pair', () => {
    test('is accepted by ssh-keygen, with its comment', async () => {
      const pair = keys.generate('zoë on laptop');
      keygen.write('new', pair.privateKey);
      keygen.write('new.pub', `${pair.publicKey}\n`);
      expect(keygen.run('-y', '-f', 'new').trimEnd()).toBe(pair.publicKey);
      expect(keygen.run('-l', '-f', 'new.pub')).toContain('zoë on laptop (ED25519)');
      const key = await keys.readPrivateKey(pair.privateKey, 'new');
      expect(key).toEqual(keys.readPublicKey(pair.publicKey, 'new.pub').info);
    });

    test('is different each time, and always complete', async () => {
      const fingerprints = new Set<string>();
      for (let count = 0; count < 64; count += 1) {
        const pair = keys.generate('');
        fingerprints.add((await keys.readPrivateKey(pair.privateKey, 'new')).fingerprint);
        expect(pair.publicKey).toMatch(/^ssh-ed25519 \S+$/);
      }
      expect(fingerprints.size).toBe(64);
    });

    test('has no comment of several lines', async () => {
      const { message } = await rejection(() => keys.generate('a\nssh-rsa AAAA'));
      expect(message).toBe('a key comment must not contain control characters');
    });
  });
});

describe('private keys of other programs', () => {
  test.skipIf(!has('openssl'))(
    'openssl makes ed25519 in PKCS#8, and curves with parameters before',
    async () => {
      const pem = openssl('genpkey', '-algorithm', 'ed25519');
      expect(await keys.readPrivateKey(pem, 'ed.pem')).toMatchObject({ type: 'ssh-ed25519', bits: 256 });
      const curve = openssl('ecparam', '-name', 'secp384r1', '-genkey');
      expect(await keys.readPrivateKey(curve, 'ec.pem')).toMatchObject({
        type: 'ecdsa-sha2-nistp384',
        bits: 384,
      });
    },
  );

  test.each(['x25519', 'ed448'] as const)('SSH does not know %s', async (type) => {
    // The overloads of generateKeyPairSync take one literal each.
    const pair = type === 'x25519' ? generateKeyPairSync(type) : generateKeyPairSync(type);
    const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const { message } = await rejection(() => keys.readPrivateKey(pem, 'k.pem'));
    expect(message).toBe('k.pem is damaged or of an unsupported type');
  });

  test('a PuTTY key is read, and recognized as encrypted', async () => {
    const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const publicBlob = Buffer.concat([wireString('ssh-ed25519'), wireString(Buffer.from(x, 'base64url'))]);
    const privateBlob = wireString(Buffer.from(d, 'base64url'));
    const { info } = keys.readPublicKey(`ssh-ed25519 ${publicBlob.toString('base64')} putty`, 'ppk');
    for (const version of [2, 3]) {
      const plain = puttyFile(version, 'none', publicBlob, privateBlob);
      expect(await keys.readPrivateKey(plain, 'k.ppk')).toEqual(info);
      const encrypted = puttyFile(version, 'aes256-cbc', publicBlob, privateBlob);
      expect(await keys.inspect(encrypted, 'k.ppk')).toEqual({
        what: 'private key',
        key: { ...info, comment: '' },
        encrypted: true,
      });
    }
  });
});

describe('a text that is not a private key', () => {
  const empty = '-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n';

  test.each([
    ['', 'k is empty'],
    ['hello', 'k is not a private key'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0', 'k is damaged: invalid data'],
    [empty, 'k is damaged: unexpected end of data'],
    [armoured(Buffer.from('secret')), 'k is damaged: unexpected end of data'],
    [armoured(Buffer.alloc(400, 'secret')), 'k is damaged: unknown format'],
    ['-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----\n', 'k is damaged or'],
    ['-----BEGIN PRIVATE KEY-----\n', 'k is damaged or'],
    ['PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n', 'k is damaged or'],
    ['PuTTY-User-Key-File-3: ssh-rsa\nEncryption: aes256-cbc\n', 'k is damaged: unexpected end of data'],
  ])('%j: %s', async (text, message) => {
    const error = await rejection(() => keys.readPrivateKey(text, 'k'));
    expect(error.message).toContain(message);
    expect(`${error.message}${error.hint}${error.cause}`).not.toContain('c2Vj');
  });
});

function puttyFile(version: number, encryption: string, publicBlob: Buffer, privateBlob: Buffer): string {
  const lines = [publicBlob, privateBlob].map(
    (blob) =>
      blob
        .toString('base64')
        .match(/.{1,64}/g)
        ?.join('\r\n') ?? '',
  );
  const count = (text: string | undefined) => text?.split('\r\n').length;
  return [
    `PuTTY-User-Key-File-${version}: ssh-ed25519`,
    `Encryption: ${encryption}`,
    'Comment: putty',
    `Public-Lines: ${count(lines[0])}`,
    lines[0],
    `Private-Lines: ${count(lines[1])}`,
    lines[1],
    'Private-MAC: 00',
    '',
  ].join('\r\n');
}

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
}

async function expectHarmless(text: string): Promise<void> {
  try {
    await keys.inspect(text, 'k');
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    expect(error.kind).toBe('usage');
  }
}

function blobOf(text: string): Buffer {
  return Buffer.from(text.replaceAll(/-----.*-----/g, ''), 'base64');
}

function armoured(blob: Buffer): string {
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${blob.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
