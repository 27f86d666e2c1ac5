import { createSecretKey } from 'node:crypto';
import type { ServiceName } from '../../../wire/services.ts';
import type { KeyFile } from '../../data-directory.ts';
import { EmbeddedError } from '../errors.ts';
import { decrypt, encrypt } from './cipher.ts';

/** Encrypts texts, each under its own name. */
export interface ValueEncryption {
  /** @param name authenticated with the text: it cannot be decrypted under another name */
  encrypt(name: string, text: string): string;
  /** @throws Error: encrypted under another name, or damaged */
  decrypt(name: string, ciphertext: string): string;
}

export interface EncryptionOptions {
  readonly service: ServiceName;
  readonly random: (length: number) => Uint8Array;
  /** The key file; undefined: the key is in memory, like the data. */
  readonly keyFile: KeyFile | undefined;
  /** A text that only the right key decrypts, stored with the data; undefined: there is no data yet. */
  readonly keyCheckValue: string | undefined;
  readonly saveKeyCheckValue: (ciphertext: string) => Promise<void>;
}

const keyBytes = 32;
const keyCheckName = 'proof';
const keyCheckText = 'this key opens the data';

/** Opens the encryption of a service. Its key is in a file apart from the data, or in memory. @throws EmbeddedError data */
export async function openEncryption(parts: EncryptionOptions): Promise<ValueEncryption> {
  const { keyFile, saveKeyCheckValue, keyCheckValue, random } = parts;
  const storedKey = await keyFile?.read();
  if (keyCheckValue !== undefined && !storedKey) throw wrongKeyError(parts, 'is missing');
  const key = storedKey ?? random(keyBytes);
  if (!storedKey) await keyFile?.create(key);
  const encryption = encryptionWithKey(key, random);
  if (keyCheckValue === undefined) await saveKeyCheckValue(encryption.encrypt(keyCheckName, keyCheckText));
  else if (!isKeyValid(encryption, keyCheckValue)) throw wrongKeyError(parts, 'does not decrypt it');
  return encryption;
}

/** Encrypts with a key of 32 bytes. */
export function encryptionWithKey(key: Uint8Array, random: (length: number) => Uint8Array): ValueEncryption {
  const secretKey = createSecretKey(key);
  return {
    encrypt: (name, text) => encrypt(secretKey, name, Buffer.from(text), random).toString('base64'),
    decrypt: (name, ciphertext) => decrypt(secretKey, name, Buffer.from(ciphertext, 'base64')).toString(),
  };
}

function isKeyValid(encryption: ValueEncryption, keyCheckValue: string): boolean {
  try {
    return encryption.decrypt(keyCheckName, keyCheckValue) === keyCheckText;
  } catch {
    return false;
  }
}

function wrongKeyError({ keyFile, service }: EncryptionOptions, problem: string): EmbeddedError {
  return new EmbeddedError(
    'data',
    `the key file ${keyFile?.path} of the ${service} data ${problem}; restore both from the same backup`,
  );
}
