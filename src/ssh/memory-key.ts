import { generateKeyPairSync, sign } from 'node:crypto';
import { describeKey, readPublicKey } from './public-key.ts';
import type { MemoryKey } from './types.ts';
import { wireString } from './wire-format.ts';

const type = 'ssh-ed25519';

/** Creates an ed25519 key that never leaves this process (RFC 8709). */
export function createMemoryKey(): MemoryKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const blob = Buffer.concat([wireString(type), wireString(point)]);
  return {
    line: `${type} ${blob.toString('base64')}`,
    fingerprint: describeKey(readPublicKey(blob), '').fingerprint,
    sign: (data) => Buffer.concat([wireString(type), wireString(sign(null, data, privateKey))]),
  };
}
