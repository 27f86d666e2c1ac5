import { usage } from '../errors.ts';
import { passphraseIdentity, passphraseRecipient } from './age-passphrase.ts';

/** Who can decrypt a file: the owners of keys, or who knows the passphrase. */
export type AgeRecipients = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What may decrypt a file. */
export interface AgeSecrets {
  /** `AGE-SECRET-KEY-...`, of a file of `age-keygen` also with comments. */
  readonly identities: readonly string[];
  readonly passphrase: string | undefined;
}

/** Files of the format age (https://age-encryption.org/v1), which `age` and `rage` read and write, too. */
export interface AgeFiles {
  /** What decrypts a file; undefined: it is not encrypted. @throws LanyardError usage: a damaged file. */
  secretOf(bytes: Uint8Array, name: string): 'passphrase' | 'identity' | undefined;
  /** @returns armored text. @throws LanyardError usage: an invalid recipient. */
  encrypt(text: string, recipients: AgeRecipients): Promise<string>;
  /**
   * @param name of the file, for messages.
   * @throws LanyardError usage: an invalid identity, no secret of the file, or a damaged file.
   */
  decrypt(bytes: Uint8Array, secrets: AgeSecrets, name: string): Promise<string>;
}

const armorBegin = '-----BEGIN AGE ENCRYPTED FILE-----';
const binaryBegin = 'age-encryption.org/v1\n';

/** Whether the bytes are an encrypted file, armored or binary. */
function isAgeFile(bytes: Uint8Array): boolean {
  const begin = Buffer.from(bytes.subarray(0, 100)).toString('latin1').trimStart();
  return begin.startsWith(armorBegin) || begin.startsWith(binaryBegin);
}

/** Loads the library. Its randomness is from the Web Crypto API: the format requires a secure source. */
export async function ageFiles(): Promise<AgeFiles> {
  const { armor, Decrypter, Encrypter } = await import('age-encryption');
  const rawBytes = (bytes: Uint8Array): Uint8Array => {
    const text = Buffer.from(bytes).toString('latin1');
    return text.trimStart().startsWith(armorBegin) ? armor.decode(text) : bytes;
  };
  return {
    secretOf(bytes, name) {
      if (!isAgeFile(bytes)) return undefined;
      try {
        return /^-> scrypt /m.test(Buffer.from(rawBytes(bytes)).toString('latin1', 0, 500))
          ? 'passphrase'
          : 'identity';
      } catch {
        throw usage(`cannot decrypt ${name}: the file is damaged`);
      }
    },
    async encrypt(text, to) {
      const encrypter = new Encrypter();
      if ('passphrase' in to) encrypter.addRecipient(passphraseRecipient(to.passphrase));
      else
        for (const recipient of to.recipients) {
          try {
            encrypter.addRecipient(recipient);
          } catch {
            throw usage(`invalid recipient "${recipient}": expected age1...`);
          }
        }
      return armor.encode(await encrypter.encrypt(text));
    },
    async decrypt(bytes, { identities, passphrase }, name) {
      const decrypter = new Decrypter();
      if (passphrase !== undefined) decrypter.addIdentity(passphraseIdentity(passphrase));
      for (const identity of identities.flatMap(keysIn)) {
        try {
          decrypter.addIdentity(identity);
        } catch {
          throw usage('invalid identity: expected AGE-SECRET-KEY-...');
        }
      }
      try {
        return await decrypter.decrypt(rawBytes(bytes), 'text');
      } catch (error) {
        const isWrongKey = error instanceof Error && /no identity matched/.test(error.message);
        throw usage(
          isWrongKey
            ? `cannot decrypt ${name}: wrong passphrase or identity`
            : `cannot decrypt ${name}: the file is damaged`,
        );
      }
    },
  };
}

/** The keys of a file of identities, without its comments. */
const keysIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
