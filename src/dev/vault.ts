import type { ServiceName } from '../wire/services.ts';
import { decrypt, encrypt } from './cipher.ts';
import type { KeyFile } from './data-directory.ts';
import { EmbeddedError } from './errors.ts';

/** Encrypts texts, each under its own name. */
export interface Vault {
  /** @param name authenticated with the text: it cannot be decrypted under another name */
  seal(name: string, text: string): string;
  /** @throws Error: encrypted under another name, or damaged */
  open(name: string, sealed: string): string;
}

export interface VaultParts {
  /** The service that owns the data. */
  readonly service: ServiceName;
  readonly random: (length: number) => Uint8Array;
  /** The key file; undefined: the key is in memory, like the data. */
  readonly file: KeyFile | undefined;
  /** A text that only the right key decrypts, stored with the data; undefined: there is no data yet. */
  readonly proof: string | undefined;
  readonly keepProof: (sealed: string) => Promise<void>;
}

const keyBytes = 32;
const proofName = 'proof';
const proofText = 'this key opens the data';

/**
 * Opens the vault of a service. Its single key is in a file separate from the data, created at the first
 * start; without a file, the key is lost when the process ends.
 * @throws EmbeddedError data: the key is missing, or does not belong to this data
 */
export async function openVault(parts: VaultParts): Promise<Vault> {
  const { file, keepProof, proof, random } = parts;
  const known = await file?.read();
  if (proof !== undefined && !known) throw wrongKey(parts, 'is missing');
  const key = known ?? random(keyBytes);
  if (!known) await file?.create(key);
  const vault = vaultOf(key, random);
  if (proof === undefined) await keepProof(vault.seal(proofName, proofText));
  else if (!opens(vault, proof)) throw wrongKey(parts, 'does not decrypt it');
  return vault;
}

function vaultOf(key: Uint8Array, random: (length: number) => Uint8Array): Vault {
  return {
    seal: (name, text) => encrypt(key, name, Buffer.from(text), random).toString('base64'),
    open: (name, sealed) => decrypt(key, name, Buffer.from(sealed, 'base64')).toString(),
  };
}

function opens(vault: Vault, proof: string): boolean {
  try {
    return vault.open(proofName, proof) === proofText;
  } catch {
    return false;
  }
}

function wrongKey({ file, service }: VaultParts, what: string): EmbeddedError {
  return new EmbeddedError(
    'data',
    `the key file ${file?.path} of the ${service} data ${what}; restore both from the same backup`,
  );
}
