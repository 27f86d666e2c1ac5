import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

type Random = (length: number) => Uint8Array;

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM: nonce, ciphertext, tag. `name` is authenticated. A `KeyObject` is faster than bytes. */
export function encrypt(key: Uint8Array | KeyObject, name: string, plaintext: Uint8Array, random: Random) {
  const nonce = random(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error: wrong key, wrong name, or damaged data */
export function decrypt(key: Uint8Array | KeyObject, name: string, ciphertext: Uint8Array): Buffer {
  const end = ciphertext.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(name))
    .setAuthTag(ciphertext.subarray(end));
  return Buffer.concat([decipher.update(ciphertext.subarray(nonceBytes, end)), decipher.final()]);
}
