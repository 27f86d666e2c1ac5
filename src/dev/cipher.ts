import { createCipheriv, createDecipheriv } from 'node:crypto';

type Random = (length: number) => Uint8Array;

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts with AES-256-GCM: nonce, ciphertext, tag. `name` is authenticated: the result cannot be decrypted
 * under another name.
 */
export function encrypt(key: Uint8Array, name: string, plain: Uint8Array, random: Random): Buffer {
  const nonce = random(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error: wrong key, wrong name, or damaged data */
export function decrypt(key: Uint8Array, name: string, sealed: Uint8Array): Buffer {
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
}
