import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LanyardError } from '../../../src/errors.ts';
import { parseCertificate } from '../../../src/ssh/certificate.ts';
import { keys } from '../../../src/ssh/keys.ts';
import { wireString, wireUint32 } from '../../../src/ssh/wire-format.ts';
import { has } from '../../support/require.ts';
import { sized } from '../../support/soak.ts';
import { Keygen, type Kind, kindNames, kinds, lineOf, rejection } from './keygen.ts';
import { listing, withoutUnknownData } from './keygen-listing.ts';

const algorithms: Readonly<Record<Kind, readonly string[]>> = {
  ed25519: ['ssh-ed25519'],
  rsa: ['ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'],
  ecdsa256: ['ecdsa-sha2-nistp256'],
  ecdsa384: ['ecdsa-sha2-nistp384'],
  ecdsa521: ['ecdsa-sha2-nistp521'],
};
const authorities = kindNames.flatMap((ca) => algorithms[ca].map((algorithm) => ({ ca, algorithm })));

describe.skipIf(!has('ssh-keygen'))('certificates that ssh-keygen signed', () => {
  const keygen = new Keygen();
  const keyNames: string[] = [...kindNames];

  beforeAll(() => {
    for (const kind of kindNames) keygen.make(kind, kinds[kind]);
    if (keygen.accepts('-q', '-t', 'dsa', '-N', '', '-f', 'dsa')) keyNames.push('dsa');
    const application = wireString('ssh:');
    const sk = lineOf('sk-ssh-ed25519@openssh.com', wireString(Buffer.alloc(32, 9)), application);
    const skEcdsa = lineOf(
      'sk-ecdsa-sha2-nistp256@openssh.com',
      wireString('nistp256'),
      wireString(uncompressed(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)),
      application,
    );
    keygen.write('sk.pub', `${sk} yubi\n`);
    keygen.write('sk-ecdsa.pub', `${skEcdsa} yubi\n`);
    keyNames.push('sk', 'sk-ecdsa');
  });
  afterAll(() => keygen.remove());

  function expectAsListed(key: string, line: string) {
    const read = parseCertificate(line, `${key}-cert.pub`);
    expect(listing(read)).toBe(withoutUnknownData(keygen.run('-L', '-f', `${key}-cert.pub`)));
    expect(read.signatureValid).toBe(true);
    return read;
  }

  test.each(authorities)(
    'every kind of key, certified by $ca with $algorithm, reads as -L lists it',
    ({ ca, algorithm }) => {
      const choice = ca === 'rsa' ? ['-t', algorithm] : [];
      for (const key of keyNames) {
        const line = keygen.sign(ca, key, ...choice, '-I', `${key} by ${ca}`, '-n', 'me', '-V', '+1h');
        const read = expectAsListed(key, line);
        expect(read.signatureAlgorithm).toBe(algorithm);
        expect(read.key).toEqual(keys.readPublicKey(keygen.read(`${key}.pub`), key).info);
      }
    },
  );

  test('a DSA authority is checked too, where ssh-keygen still makes them', ({ skip }) => {
    if (!keyNames.includes('dsa')) skip('this ssh-keygen makes no DSA keys');
    for (let serial = 0; serial < 8; serial += 1) {
      expectAsListed('ed25519', keygen.sign('dsa', 'ed25519', '-I', 'by dsa', '-z', String(serial)));
    }
  });

  test.each([
    ['a host certificate', ['-h', '-I', 'host', '-n', 'a.example.com,b.example.com,192.0.2.1']],
    ['no principals', ['-I', 'anyone']],
    ['always to forever', ['-I', 'x', '-V', 'always:forever']],
    ['from a time to forever', ['-I', 'x', '-V', '20200101000000:forever']],
    ['always to a time', ['-I', 'x', '-V', 'always:20380119031408']],
    ['between two times', ['-I', 'x', '-V', '20200102030405:20510607080910']],
    ['the largest serial', ['-I', 'x', '-z', '18446744073709551615']],
    ['a serial beyond 2^53', ['-I', 'x', '-z', '9007199254740993']],
    ['no extensions', ['-I', 'x', '-O', 'clear']],
    [
      'all options',
      [
        ...['-I', 'x', '-O', 'clear', '-O', 'permit-pty', '-O', 'permit-user-rc', '-O', 'no-touch-required'],
        ...['-O', 'force-command=/bin/echo "a b", ü', '-O', 'source-address=192.0.2.0/24,2001:db8::/32'],
        ...['-O', 'verify-required', '-O', 'permit-X11-forwarding', '-O', 'permit-agent-forwarding'],
      ],
    ],
    [
      'options of others',
      ['-I', 'x', '-O', 'extension:team@example.com=blue team', '-O', 'critical:strict@example.com'],
    ],
    ['a key ID in UTF-8', ['-I', 'Zoë <zoe@example.com> "x"', '-n', 'zoë']],
    ['an empty key ID', ['-I', '']],
    ['many principals', ['-I', 'x', '-n', Array.from({ length: 256 }, (_, at) => `user${at}`).join(',')]],
  ])('%s reads as -L lists it', (_what, options) => {
    expectAsListed('ed25519', keygen.sign('ecdsa256', 'ed25519', ...options));
  });

  test('the data of an option that ssh-keygen does not know is its text', () => {
    const line = keygen.sign('ed25519', 'rsa', '-I', 'x', '-O', 'extension:team@example.com=blue team');
    expect(parseCertificate(line, 'c').extensions).toContainEqual(['team@example.com', 'blue team']);
  });

  test('inspect reports a certificate, and publicKey rejects it by name', async () => {
    const line = keygen.sign('ed25519', 'rsa', '-I', 'x');
    const inspected = await keys.inspect(line, 'rsa-cert.pub');
    expect(inspected).toEqual({ what: 'certificate', certificate: parseCertificate(line, 'rsa-cert.pub') });
    const { message } = await rejection(() => keys.readPublicKey(line, 'rsa-cert.pub'));
    expect(message).toBe('rsa-cert.pub is a certificate; expected a public key');
  });

  test('a certificate type that names its RSA signature is a certificate of an RSA key', () => {
    const blob = blobOf(keygen.sign('ed25519', 'rsa', '-I', 'x'));
    const rest = blob.subarray(4 + 'ssh-rsa-cert-v01@openssh.com'.length);
    const read = parseCertificate(lineOf('rsa-sha2-512-cert-v01@openssh.com', rest), 'c');
    expect(read).toMatchObject({ type: 'rsa-sha2-512-cert-v01@openssh.com', signatureValid: false });
    expect(read.key.fingerprint).toBe(keygen.fingerprint('rsa.pub'));
  });

  test('a plain public key is no certificate', async () => {
    const { message } = await rejection(() => parseCertificate(keygen.read('rsa.pub'), 'rsa.pub'));
    expect(message).toBe('rsa.pub is a public key, not a certificate');
  });

  test('a certificate that was cut anywhere is a usage error', async () => {
    const blob = blobOf(keygen.sign('ecdsa521', 'ecdsa521', '-I', 'x', '-n', 'a,b'));
    const type = 'ecdsa-sha2-nistp521-cert-v01@openssh.com';
    for (let length = 4 + type.length; length < blob.length; length += 1) {
      const line = `${type} ${blob.subarray(0, length).toString('base64')}`;
      expect((await rejection(() => parseCertificate(line, 'c'))).message).toMatch(/^c is damaged: /);
    }
  });

  test('whatever bytes are changed, a certificate is a usage error or one whose signature fails', () => {
    for (const key of keyNames) {
      const line = keygen.sign('rsa', key, '-I', 'x', '-n', 'a,b', '-O', 'force-command=c');
      const type = line.split(' ')[0] ?? '';
      const blob = blobOf(line);
      const start = 4 + type.length;
      const change = fc.tuple(
        fc.integer({ min: start, max: blob.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
      );
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.uint8Array(), (changes, tail) => {
          const changed = Buffer.concat([blob, tail]);
          for (const [at, by] of changes) changed[at] = (changed[at] ?? 0) ^ by;
          fc.pre(!changed.equals(blob));
          expectHarmless(`${type} ${changed.toString('base64')}`);
        }),
        { numRuns: sized(300, 60) },
      );
    }
  });

  describe('signed by a security key', () => {
    const pair = generateKeyPairSync('ed25519');
    const curvePair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const securityKeys = [
      {
        type: 'sk-ssh-ed25519@openssh.com',
        fields: [wireString(rawEd25519(pair.publicKey))],
        sign: (data: Buffer) => sign(null, data, pair.privateKey),
      },
      {
        type: 'sk-ecdsa-sha2-nistp256@openssh.com',
        fields: [wireString('nistp256'), wireString(uncompressed(curvePair.publicKey))],
        sign: (data: Buffer) => {
          const raw = sign('sha256', data, { key: curvePair.privateKey, dsaEncoding: 'ieee-p1363' });
          return Buffer.concat([mpint(raw.subarray(0, 32)), mpint(raw.subarray(32))]);
        },
      },
    ];

    test.each(securityKeys)('with $type, it reads as -L lists it', ({ type, fields, sign: signWith }) => {
      const keyField = wireString(Buffer.alloc(32, 3));
      const certType = 'ssh-ed25519-cert-v01@openssh.com';
      const ca = Buffer.concat([wireString(type), ...fields, wireString('ssh:')]);
      const body = [
        ...[wireString(Buffer.alloc(32, 1)), keyField, Buffer.alloc(8, 1), wireUint32(1)],
        ...[wireString('id'), wireString(wireString('me')), Buffer.alloc(8), Buffer.alloc(8, 255)],
        ...[wireString(''), wireString(''), wireString(''), wireString(ca)],
      ];
      const signed = Buffer.concat([wireString(certType), ...body]);
      const flagsAndCounter = Buffer.of(1, 0, 0, 0, 5);
      const message = Buffer.concat([sha256(Buffer.from('ssh:')), flagsAndCounter, sha256(signed)]);
      const signature = Buffer.concat([wireString(type), wireString(signWith(message)), flagsAndCounter]);
      const line = lineOf(certType, ...body, wireString(signature));
      keygen.write('by-sk-cert.pub', `${line}\n`);
      expectAsListed('by-sk', line);
    });
  });
});

function expectHarmless(line: string): void {
  try {
    expect(parseCertificate(line, 'c').signatureValid).toBe(false);
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    expect(error.kind).toBe('usage');
  }
}

function blobOf(line: string): Buffer {
  return Buffer.from(line.split(' ')[1] ?? '', 'base64');
}

function rawEd25519(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function uncompressed(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
}

function mpint(value: Buffer): Buffer {
  let start = 0;
  while (value[start] === 0) start += 1;
  const digits = value.subarray(start);
  return wireString((digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.of(0), digits]));
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
