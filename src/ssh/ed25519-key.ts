import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { openSshMagic } from './private-key.ts';
import { describeKey, readPublicKey } from './public-key.ts';
import type { GeneratedKey, MemoryKey } from './types.ts';
import { wireString, wireUint32 } from './wire-format.ts';

const type = 'ssh-ed25519';

/** A new key pair (RFC 8709). */
function newKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const point = Buffer.from(x, 'base64url');
  const blob = Buffer.concat([wireString(type), wireString(point)]);
  return { privateKey, seed: Buffer.from(d, 'base64url'), point, blob };
}

/** A new key pair in the format of OpenSSH (PROTOCOL.key), without a passphrase. */
export function generateEd25519Key(comment: string): GeneratedKey {
  const { seed, point, blob } = newKey();
  const check = randomBytes(4);
  const section = Buffer.concat([
    check,
    check,
    blob,
    wireString(Buffer.concat([seed, point])),
    wireString(comment),
  ]);
  const padding = Buffer.of(1, 2, 3, 4, 5, 6, 7).subarray(0, -section.length & 7);
  const data = Buffer.concat([
    openSshMagic,
    wireString('none'),
    wireString('none'),
    wireString(''),
    wireUint32(1),
    wireString(blob),
    wireString(Buffer.concat([section, padding])),
  ]);
  const lines = data.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    privateKey: [
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      ...lines,
      '-----END OPENSSH PRIVATE KEY-----',
      '',
    ].join('\n'),
    publicKey: `${type} ${blob.toString('base64')} ${comment}`.trimEnd(),
  };
}

/** A new key that never leaves this process. */
export function createMemoryKey(): MemoryKey {
  const { privateKey, blob } = newKey();
  return {
    line: `${type} ${blob.toString('base64')}`,
    fingerprint: describeKey(readPublicKey(blob), '').fingerprint,
    sign: (data) => Buffer.concat([wireString(type), wireString(sign(null, data, privateKey))]),
  };
}
