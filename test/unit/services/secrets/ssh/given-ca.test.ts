import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parsePrivateKey } from '../../../../../src/services/secrets/ssh/private-key.ts';
import { MalformedError } from '../../../../../src/services/secrets/ssh/wire.ts';
import { has } from '../../../../support/require.ts';
import { errorOf } from '../engine-calls.ts';
import { fingerprint, keyFolder, type Mount, makesDsa, mount, show, signWith } from './harness.ts';

const keys = keyFolder();
afterAll(keys.remove);

let ssh: Mount;
beforeEach(() => {
  ssh = mount();
});

/** A private key file of OpenSSH with some of its bytes changed. */
function edited(file: string, edit: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(file.replace(/-----.*-----|\n/g, ''), 'base64');
  edit(bytes);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

describe.skipIf(!has('ssh-keygen'))('a given CA', () => {
  const types = ['-t rsa -b 2048', '-t ecdsa -b 256', '-t ecdsa -b 384', '-t ecdsa -b 521', '-t ed25519'];
  const formats = ['RFC4716', 'PKCS8', 'PEM'];
  const combinations = types
    .flatMap((type) => formats.map((format) => [type, format] as const))
    .filter(([type, format]) => !(type === '-t ed25519' && format !== 'RFC4716'));

  it.each(combinations)('of ssh-keygen %s -m %s signs', async (type, format) => {
    const given = keys.keygen(`${type} -m ${format}`);
    const body = { private_key: given.private, public_key: given.public, generate_signing_key: false };
    expect(await ssh.write('config/ca', body)).toBeUndefined();
    expect(await ssh.read('config/ca')).toEqual({ public_key: given.public });
    const { ca } = show(await signWith(ssh, keys.keygen('-t ed25519').public));
    expect(ca).toContain(fingerprint(given.public));
  });

  it('of Ed25519 in PKCS#8 signs, and needs no flag', async () => {
    const made = keys.keygen('-t ed25519');
    const private_key = parsePrivateKey(made.private).export({ type: 'pkcs8', format: 'pem' }).toString();
    const base64 = made.public.split(' ')[1] ?? '';
    expect(await ssh.write('config/ca', { private_key, public_key: base64 })).toBeUndefined();
    expect(await ssh.read('config/ca')).toEqual({ public_key: `ssh-ed25519 ${base64}\n` });
    expect(show(await signWith(ssh, made.public)).ca).toContain(fingerprint(made.public));
  });

  it.each(['RFC4716', 'PKCS8', 'PEM'])('that is encrypted (%s) is rejected', async (format) => {
    const given = keys.keygen(`-t rsa -b 2048 -m ${format}`);
    const locked = `${given.file}-locked`;
    copyFileSync(given.file, locked);
    execFileSync('ssh-keygen', ['-q', '-p', '-N', 'passphrase', '-m', format, '-f', locked]);
    const body = { private_key: readFileSync(locked, 'utf8'), public_key: given.public };
    expect(await errorOf(ssh.write('config/ca', body))).toBe(
      '400 Unable to parse private_key as an SSH private key: it is encrypted; remove its passphrase first (ssh-keygen -p -N "" -f FILE)',
    );
  });

  it('whose halves do not match is rejected', async () => {
    for (const type of ['-t rsa -b 2048', '-t ecdsa', '-t ed25519']) {
      const [one, other] = [keys.keygen(type), keys.keygen(type, { another: true })];
      const body = { private_key: one.private, public_key: other.public };
      expect(await errorOf(ssh.write('config/ca', body))).toBe('400 public_key and private_key do not match');
    }
  });

  it('whose file contains a matching public key with a wrong secret is rejected', async () => {
    for (const type of ['-t rsa -b 2048', '-t ecdsa']) {
      const made = keys.keygen(type);
      const { d = '' } = parsePrivateKey(made.private).export({ format: 'jwk' });
      const secret = Buffer.from(d, 'base64url');
      const stored = secret.subarray(secret.findIndex((byte) => byte !== 0));
      const last = (file: Buffer) => file.indexOf(stored) + stored.length - 1;
      const private_key = edited(made.private, (file) =>
        file.writeUInt8(secret.at(-1) === 1 ? 3 : 1, last(file)),
      );
      expect(await errorOf(ssh.write('config/ca', { private_key, public_key: made.public }))).toMatch(
        /^400 (public_key and private_key do not match|Unable to parse private_key)/,
      );
    }
  });

  it('whose private section is damaged is rejected', async () => {
    const made = keys.keygen('-t ed25519');
    const checkNumber = 15 + 8 + 8 + 4 + 4 + 55 + 4;
    const private_key = edited(made.private, (file) =>
      file.writeUInt8(file.readUInt8(checkNumber) ^ 1, checkNumber),
    );
    expect(await errorOf(ssh.write('config/ca', { private_key, public_key: made.public }))).toBe(
      '400 Unable to parse private_key as an SSH private key: its private section is damaged',
    );
  });

  it('of a type that cannot sign is rejected', async () => {
    const made = keys.keygen('-t ed25519');
    for (const pair of [
      generateKeyPairSync('x25519'),
      generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
    ]) {
      const private_key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await errorOf(ssh.write('config/ca', { private_key, public_key: made.public }))).toMatch(
        /^400 Unable to parse private_key as an SSH private key: its (type cannot sign|curve is not supported by SSH)/,
      );
    }
    if (!makesDsa()) return;
    const dsa = keys.keygen('-t dsa');
    expect(await errorOf(ssh.write('config/ca', { private_key: dsa.private, public_key: dsa.public }))).toBe(
      '400 Unable to parse private_key as an SSH private key: its type cannot sign certificates; use RSA, ECDSA or Ed25519',
    );
  });

  it('that is missing or unreadable is rejected, and never repeated in the message', async () => {
    const { private: private_key, public: public_key } = keys.keygen('-t ed25519');
    const cut = `${private_key.slice(0, 200)}\n-----END OPENSSH PRIVATE KEY-----\n`;
    const noPrivate = '400 Unable to parse private_key as an SSH private key: it is';
    const noPublic = '400 Unable to parse public_key as an SSH public key: it is';
    for (const [body, error] of [
      [{ generate_signing_key: false }, '400 missing public_key'],
      [{ generate_signing_key: false, public_key }, '400 missing private_key'],
      [{ private_key: cut, public_key }, `${noPrivate} cut short`],
      [
        { private_key: 'x', public_key },
        `${noPrivate} not a valid private key in OpenSSH, PKCS#1, SEC1 or PKCS#8 form`,
      ],
      [{ private_key, public_key: 'x' }, `${noPublic} not valid base64`],
      [{ private_key, public_key: private_key }, `${noPublic} a private key`],
    ] as const)
      expect(await errorOf(ssh.write('config/ca', body))).toBe(error);
  });

  it('that is damaged is a key or is rejected, never a crash', () => {
    const files = ['-t rsa -b 2048', '-t ecdsa', '-t ed25519'].map((type) => keys.keygen(type).private);
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...files), damage, (file, changes) => {
        const text = edited(file, (bytes) => {
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
        });
        try {
          parsePrivateKey(text);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedError);
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
