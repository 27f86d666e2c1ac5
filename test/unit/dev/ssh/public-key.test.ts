import { createECDH, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parsePublicKey, parsePublicKeyLine } from '../../../../src/dev/secrets/ssh/public-key.ts';
import { Malformed } from '../../../../src/dev/secrets/ssh/wire.ts';
import { expectLinear } from '../../../support/measure.ts';
import { has } from '../../../support/require.ts';
import { field, keyFolder, line, makesDsa } from './harness.ts';

const point = createECDH('prime256v1').generateKeys();
// RFC 8032, section 7.1.
const ed25519 = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
const p256Line = line('ecdsa-sha2-nistp256', 'nistp256', point);
const ed25519Line = line('ssh-ed25519', ed25519);

function number(bits: number, last = 1): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0x55);
  bytes[0] = 1 << ((bits - 1) % 8);
  bytes[bytes.length - 1] = last;
  return bits % 8 === 0 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

const exponent = Buffer.from([1, 0, 1]);

describe('a public key line', () => {
  const keys = keyFolder();
  afterAll(keys.remove);

  describe.skipIf(!has('ssh-keygen'))('made by ssh-keygen', () => {
    it.each<[string, string, number]>([
      ['-t rsa -b 1024', 'ssh-rsa', 1024],
      ['-t rsa -b 3072', 'ssh-rsa', 3072],
      ...(makesDsa() ? ([['-t dsa', 'ssh-dss', 1024]] as [string, string, number][]) : []),
      ['-t ecdsa -b 256', 'ecdsa-sha2-nistp256', 256],
      ['-t ecdsa -b 384', 'ecdsa-sha2-nistp384', 384],
      ['-t ecdsa -b 521', 'ecdsa-sha2-nistp521', 521],
      ['-t ed25519', 'ssh-ed25519', 256],
    ])('of %s is parsed with its type and bits', (options, type, bits) => {
      const { key, comment } = parsePublicKeyLine(keys.keygen(options).public);
      expect(key).toMatchObject({ type, bits });
      expect(comment).toBe('a comment');
    });
  });

  it('may be the base64 alone', () => {
    const base64 = ed25519Line.split(' ')[1] ?? '';
    expect(parsePublicKeyLine(`  ${base64}\n`).key.type).toBe('ssh-ed25519');
  });

  it.each([
    ['no base64', 'ssh-ed25519 !!!!', 'it is not valid base64'],
    ['cut base64', ed25519Line.slice(0, -1), 'it is not valid base64'],
    ['two lines', `${ed25519Line}\n${ed25519Line}`, 'it has more than one line'],
    [
      'a wrong type in front',
      ed25519Line.replace('ssh-ed25519', 'ssh-rsa'),
      'the key type before the base64 does not match the key',
    ],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA', 'it is a private key'],
    ['an endless line', `ssh-rsa ${'A'.repeat(20_000)}`, 'it is longer than 16384 characters'],
    ['an unknown type', line('ssh-xmss', 'x'), 'its key type is unknown'],
    ['a type that objects inherit', line('constructor', 'x'), 'its key type is unknown'],
    ['a certificate', line('ssh-ed25519-cert-v01@openssh.com', 'x'), 'it is a certificate, not a plain key'],
    ['trailing data', line('ssh-ed25519', ed25519, 'more'), 'it has trailing data'],
    ['a short ed25519 key', line('ssh-ed25519', 'short'), 'an Ed25519 key has 32 bytes'],
    ['a missing field', line('ssh-rsa', exponent), 'it is cut short'],
    [
      'an RSA key of 768 bits',
      line('ssh-rsa', exponent, number(768)),
      'an RSA key of 768 bits is not usable',
    ],
    ['an even RSA modulus', line('ssh-rsa', exponent, number(2048, 2)), 'its RSA modulus is even'],
    [
      'an RSA exponent of 1',
      line('ssh-rsa', Buffer.from([1]), number(2048)),
      'its RSA exponent is not usable',
    ],
    [
      'an even RSA exponent',
      line('ssh-rsa', Buffer.from([4]), number(2048)),
      'its RSA exponent is not usable',
    ],
    [
      'a negative RSA modulus',
      line('ssh-rsa', exponent, Buffer.alloc(256, 0xff)),
      'it contains a number that is not positive',
    ],
    [
      'a padded RSA modulus',
      line('ssh-rsa', exponent, Buffer.concat([Buffer.alloc(2), number(2047)])),
      'it contains a number that is not in its shortest form',
    ],
    [
      'a DSA key of 2048 bits',
      line('ssh-dss', number(2048), number(160), exponent, exponent),
      'a DSA key must have 1024 bits and an order of 160',
    ],
    [
      'a DSA generator of 1',
      line('ssh-dss', number(1024), number(160), Buffer.from([1]), exponent),
      'a number of the DSA key is out of range',
    ],
    [
      'a DSA key beyond its prime',
      line('ssh-dss', number(1024), number(160), exponent, number(1024, 3)),
      'a number of the DSA key is out of range',
    ],
    [
      'another curve inside',
      line('ecdsa-sha2-nistp256', 'nistp384', point),
      'its curve does not match its type',
    ],
    [
      'a compressed point',
      line('ecdsa-sha2-nistp256', 'nistp256', Buffer.concat([Buffer.from([2]), point.subarray(1, 33)])),
      'its point is not an uncompressed point of its curve',
    ],
    [
      'the point at infinity',
      line('ecdsa-sha2-nistp256', 'nistp256', Buffer.from([0])),
      'its point is not an uncompressed point of its curve',
    ],
    [
      'a point off the curve',
      line(
        'ecdsa-sha2-nistp256',
        'nistp256',
        Buffer.concat([point.subarray(0, 64), Buffer.from([(point[64] ?? 0) ^ 1])]),
      ),
      'its point is not on its curve',
    ],
    [
      'an application with a NUL',
      line('sk-ssh-ed25519@openssh.com', ed25519, 'ssh:\0x'),
      'its application contains a NUL character',
    ],
  ])('with %s is rejected', (_, text, message) => {
    expect(() => parsePublicKeyLine(text)).toThrow(new Malformed(message));
  });

  it('is parsed with its application for a security key', () => {
    expect(parsePublicKeyLine(line('sk-ssh-ed25519@openssh.com', ed25519, 'ssh:')).key.bits).toBe(256);
    expect(
      parsePublicKeyLine(line('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', point, 'ssh:work')).key.bits,
    ).toBe(256);
  });
});

describe('damaged bytes', () => {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    format: 'jwk',
  });
  const rsaLine = line(
    'ssh-rsa',
    Buffer.from(e, 'base64url'),
    Buffer.concat([Buffer.from([0]), Buffer.from(n, 'base64url')]),
  );
  const blobs = [rsaLine, p256Line, ed25519Line, line('sk-ssh-ed25519@openssh.com', ed25519, 'ssh:')].map(
    (text) => Buffer.from(text.split(' ')[1] ?? '', 'base64'),
  );

  /** A key that was read holds exactly the bytes it was read from. */
  function readsOrRefuses(blob: Buffer): void {
    try {
      const key = parsePublicKey(blob);
      expect(Buffer.concat([field(key.type), key.fields])).toEqual(blob);
    } catch (error) {
      expect(error).toBeInstanceOf(Malformed);
    }
  }

  it('are a key or are rejected, never a crash', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => readsOrRefuses(Buffer.from(bytes))),
      { seed: 2, numRuns: 1000 },
    );
  });

  it('within a valid key are a key or are rejected, never a crash', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...blobs), damage, fc.nat(8), (blob, changes, cut) => {
        const bytes = Buffer.from(blob.subarray(0, blob.length - cut));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        readsOrRefuses(bytes);
      }),
      { seed: 3, numRuns: 2000 },
    );
  });

  it.each(['A', '{{', ' ', 'AAAA '])('as text of many "%s" are rejected in linear time', async (piece) => {
    await expectLinear((size) => {
      expect(() => parsePublicKeyLine(piece.repeat(size))).toThrow(Malformed);
    }, 2 ** 20);
  });
});
