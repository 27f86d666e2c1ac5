import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LanyardError } from '../../../src/errors.ts';
import { keys } from '../../../src/ssh/keys.ts';
import { wireString } from '../../../src/ssh/wire-format.ts';
import { has } from '../../support/require.ts';
import { Keygen, kindNames, kinds, lineOf, rejection } from './keygen.ts';

const ed25519 = lineOf('ssh-ed25519', wireString(Buffer.alloc(32, 7)));
const encoded = ed25519.split(' ')[1] ?? '';

function messageFor(text: string, name = 'id.pub'): Promise<string> {
  return rejection(() => keys.readPublicKey(text, name)).then((error) => error.message);
}

describe.skipIf(!has('ssh-keygen'))('public keys that ssh-keygen made', () => {
  const keygen = new Keygen();
  beforeAll(() => {
    for (const kind of kindNames) keygen.make(kind, kinds[kind]);
  });
  afterAll(() => keygen.remove());

  test.each(kindNames)('%s is described as ssh-keygen -l describes it', (kind) => {
    const { line, info } = keys.readPublicKey(keygen.read(`${kind}.pub`), `${kind}.pub`);
    expect(line).toBe(keygen.read(`${kind}.pub`).trimEnd());
    const [bits, fingerprint, comment] = keygen.run('-l', '-f', `${kind}.pub`).split(' ');
    expect(info).toEqual({ type: line.split(' ')[0], bits: Number(bits), fingerprint, comment });
  });

  test('a DSA key is described too, where ssh-keygen still makes them', ({ skip }) => {
    if (!keygen.accepts('-q', '-t', 'dsa', '-N', '', '-f', 'dsa')) skip('this ssh-keygen makes no DSA keys');
    const { info } = keys.readPublicKey(keygen.read('dsa.pub'), 'dsa.pub');
    expect(info).toMatchObject({ type: 'ssh-dss', bits: 1024, fingerprint: keygen.fingerprint('dsa.pub') });
  });

  test('keys on security keys are described as ssh-keygen -l describes them', () => {
    const point = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const uncompressed = Buffer.from(`04${hex(point.x)}${hex(point.y)}`, 'hex');
    const application = wireString('ssh:');
    for (const line of [
      lineOf('sk-ssh-ed25519@openssh.com', wireString(Buffer.alloc(32, 9)), application),
      lineOf(
        'sk-ecdsa-sha2-nistp256@openssh.com',
        wireString('nistp256'),
        wireString(uncompressed),
        application,
      ),
    ]) {
      keygen.write('sk.pub', `${line}\n`);
      expect(keys.readPublicKey(line, 'sk.pub').info).toMatchObject({
        bits: 256,
        fingerprint: keygen.fingerprint('sk.pub'),
      });
    }
  });
});

describe('the file around a public key', () => {
  test('may have blank lines, comment lines, CRLF, tabs and a byte order mark', () => {
    const { line, info } = keys.readPublicKey(
      `\ufeff\r\n# mine\r\n\r\n  ssh-ed25519\t${encoded}  two  words \r\n\r\n`,
      'id.pub',
    );
    expect(line).toBe(`ssh-ed25519 ${encoded} two  words`);
    expect(info.comment).toBe('two  words');
  });

  test('may lack the comment', () => {
    expect(keys.readPublicKey(ed25519, 'id.pub')).toMatchObject({ line: ed25519, info: { comment: '' } });
  });

  test.each([
    ['', 'id.pub is empty'],
    [' \r\n\n', 'id.pub is empty'],
    ['# only this\n', 'id.pub contains no key'],
    ['hello', 'id.pub is not an SSH public key'],
    ['__proto__ AAAA', 'id.pub is not an SSH public key'],
    ['-cert-v01@openssh.com AAAA', 'id.pub is not an SSH public key'],
    [encoded, 'id.pub has no key type'],
    ['ssh-ed25519', 'id.pub is damaged: no data after the key type'],
    ['ssh-ed25519 AAAA', 'id.pub is damaged: its data is not a key of type ssh-ed25519'],
    [`ssh-ed25519 ${encoded}%`, 'id.pub is damaged: invalid base64'],
    [`ssh-ed25519 ${encoded}A`, 'id.pub is damaged: invalid base64'],
    [`ssh-ed25519 ${encoded.slice(0, -4)}`, 'id.pub is damaged: unexpected end of data'],
    [`ssh-ed25519 ${encoded}AAAA`, 'id.pub is damaged: trailing data'],
    [`ssh-rsa ${encoded}`, 'id.pub is damaged: its data is not a key of type ssh-rsa'],
    [`restrict,command="a b" ${ed25519}`, 'id.pub has text before the key'],
    [`host.example.com ${ed25519}`, 'id.pub has text before the key'],
    [`${ed25519}\n${ed25519}\n`, 'id.pub has 2 lines; expected one public key on one line'],
    ['\0\u0001\u0002', 'id.pub is not UTF-8 text'],
    [Buffer.from([0x73, 0xff, 0xfe, 0x41]).toString('utf8'), 'id.pub is not UTF-8 text'],
    [`${ed25519} \u001b[31m`, 'id.pub is not UTF-8 text'],
    ['A'.repeat(2 ** 20 + 1), 'id.pub is too large to be a key'],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', 'id.pub is a public key in the RFC4716 format'],
    ['-----BEGIN RSA PUBLIC KEY-----\nMIIB', 'id.pub is a public key in the PEM format'],
    ['-----BEGIN PUBLIC KEY-----\nMIIB', 'id.pub is a public key in the PKCS8 format'],
    [lineOf('ssh-ed25519-cert-v01@openssh.com'), 'id.pub is a certificate'],
  ])('%j is rejected: %s', async (text, message) => {
    expect(await messageFor(text)).toContain(message);
  });

  test('a private key is rejected by name, with the public key named', async () => {
    const armoured = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n';
    const message = 'id_ed25519 is a private key; expected the public key, id_ed25519.pub';
    expect(await messageFor(armoured, 'id_ed25519')).toBe(message);
    expect(await messageFor(armoured, '-')).toBe('standard input is a private key; expected the public key');
    expect(await messageFor(armoured, 'a.pub')).toBe('a.pub is a private key; expected the public key');
    expect(await messageFor(`\r\n${armoured.replaceAll('\n', '\r\n')}`, 'k')).toContain('is a private key');
    expect(await messageFor('-----BEGIN PRIVATE KEY-----', 'k')).toContain('is a private key');
    expect(await messageFor('PuTTY-User-Key-File-3: ssh-rsa\n', 'k')).toContain('is a private key');
  });
});

describe('the numbers in a public key', () => {
  const number = (bytes: number[], length: number) => wireString(Buffer.alloc(length, Buffer.from(bytes)));
  const e = wireString(Buffer.of(1, 0, 1));

  test.each([
    ['an RSA modulus of 512 bits', lineOf('ssh-rsa', e, number([0x7f], 64)), 'between 1024 and 16384 bits'],
    ['an RSA modulus beyond 16384', lineOf('ssh-rsa', e, number([0x7f], 2049)), 'between 1024 and 16384'],
    ['a negative number', lineOf('ssh-rsa', e, number([0xff], 128)), 'not in canonical form'],
    [
      'a needless zero',
      lineOf('ssh-rsa', wireString(Buffer.of(0, 1)), number([0x7f], 128)),
      'not in canonical form',
    ],
    ['zero', lineOf('ssh-rsa', wireString(''), number([0x7f], 128)), 'not in canonical form'],
    ['31 bytes of ed25519', lineOf('ssh-ed25519', wireString(Buffer.alloc(31))), 'the wrong length'],
    [
      'a foreign curve',
      lineOf('ecdsa-sha2-nistp256', wireString('nistp384'), wireString(Buffer.alloc(97, 4))),
      'does not match its type',
    ],
    [
      'a compressed point',
      lineOf('ecdsa-sha2-nistp256', wireString('nistp256'), wireString(Buffer.alloc(65, 2))),
      'uncompressed',
    ],
    [
      'a point off the curve',
      lineOf('ecdsa-sha2-nistp256', wireString('nistp256'), wireString(Buffer.alloc(65, 4))),
      'not on its curve',
    ],
    [
      'a length beyond the end',
      lineOf('ssh-ed25519', Buffer.of(255, 255, 255, 255)),
      'unexpected end of data',
    ],
  ])('%s is rejected', async (_what, line, message) => {
    expect(await messageFor(line)).toContain(message);
  });
});

test('whatever text comes, there is a key or a usage error that does not repeat the text', async () => {
  const words = fc.constantFrom(
    'ssh-ed25519',
    'ssh-rsa',
    encoded,
    'AAAA',
    '\n',
    ' ',
    '=',
    '# ',
    '----BEGIN ',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(words, fc.base64String()), { maxLength: 8 }).map((parts) => parts.join(' ')),
  );
  await fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(keys.readPublicKey(text, 'id.pub').line).toContain(encoded);
      } catch (error) {
        if (!(error instanceof LanyardError)) throw error;
        expect(error.kind).toBe('usage');
        for (const word of text.split(/\s+/).filter((each) => each.length > 20)) {
          expect(error.message).not.toContain(word);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

function hex(base64url: string | undefined): string {
  return Buffer.from(base64url ?? '', 'base64url').toString('hex');
}
