import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Identity, Recipient } from 'age-encryption';

const label = Buffer.from('age-encryption.org/v1/scrypt');
/** Of new files, as `age` uses it: N = 2^18, 256 MiB. */
const workFactor = 18;
/** Of files that are read: 1 GiB. */
const largestWorkFactor = 20;
const cipher = 'chacha20-poly1305';
const authTagLength = 16;
const noNonce = new Uint8Array(12);

const derive = promisify<string, Uint8Array, number, { N: number; r: number; maxmem: number }, Buffer>(
  scrypt,
);

function keyOf(passphrase: string, salt: Uint8Array, logN: number): Promise<Buffer> {
  const N = 2 ** logN;
  const r = 8;
  return derive(passphrase, Buffer.concat([label, salt]), 32, { N, r, maxmem: 2 * 128 * N * r });
}

/** The recipient `scrypt` of the format age, derived outside the main thread: signals are still seen. */
export function passphraseRecipient(passphrase: string): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(16);
      const seal = createCipheriv(cipher, await keyOf(passphrase, salt, workFactor), noNonce, {
        authTagLength,
      });
      const body = Buffer.concat([seal.update(fileKey), seal.final(), seal.getAuthTag()]);
      const base64 = salt.toString('base64').replaceAll('=', '');
      return [{ args: ['scrypt', base64, `${workFactor}`], body }];
    },
  };
}

/** What opens a file that `passphraseRecipient` or `age --passphrase` encrypted. */
export function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const [stanza] = stanzas;
      const [type, base64 = '', logN = ''] = stanza?.args ?? [];
      if (stanza === undefined || type !== 'scrypt') return null;
      const salt = Buffer.from(base64, 'base64');
      const isValid = stanzas.length === 1 && stanza.args.length === 3 && salt.length === 16;
      if (!isValid || stanza.body.length !== 32 || !/^[1-9][0-9]?$/.test(logN) || +logN > largestWorkFactor)
        throw new Error('invalid scrypt stanza');
      const key = await keyOf(passphrase, salt, +logN);
      const open = createDecipheriv(cipher, key, noNonce, { authTagLength });
      open.setAuthTag(stanza.body.subarray(-authTagLength));
      try {
        return Buffer.concat([open.update(stanza.body.subarray(0, -authTagLength)), open.final()]);
      } catch {
        return null;
      }
    },
  };
}
