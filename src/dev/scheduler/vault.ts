import { decrypt, encrypt } from '../cipher.ts';
import type { KeyFile } from '../data-directory.ts';
import { EmbeddedError } from '../errors.ts';
import type { State } from './state/tables.ts';

/** Keeps texts so that nobody without the key can read them, each under its own name. */
export interface Vault {
  /** @param name bound to the text: under another one it does not open */
  seal(name: string, text: string): string;
  /** @throws Error: sealed under another name, or damaged */
  open(name: string, sealed: string): string;
}

const keyBytes = 32;
const proof = 'this key opens the data';

/**
 * Opens the vault of a state. Its one key is in a file apart from the data, which is made with the first start; without
 * a file it lives as long as the process.
 *
 * @throws EmbeddedError data: the key is not there, or is not the one of this data
 */
export async function openVault(
  state: State,
  random: (length: number) => Uint8Array,
  file: KeyFile | undefined,
): Promise<Vault> {
  const sealed = state.view.get('key', 'proof')?.sealed;
  const known = await file?.read();
  if (sealed !== undefined && !known) throw wrongKey(file, 'is missing, which opens');
  const key = known ?? random(keyBytes);
  if (!known) await file?.create(key);
  const vault = vaultOf(key, random);
  if (sealed === undefined) {
    await state.change((draft) => draft.put('key', 'proof', { sealed: vault.seal('proof', proof) }));
  } else if (!opens(vault, String(sealed))) throw wrongKey(file, 'does not open');
  return vault;
}

function vaultOf(key: Uint8Array, random: (length: number) => Uint8Array): Vault {
  return {
    seal: (name, text) => encrypt(key, name, Buffer.from(text), random).toString('base64'),
    open: (name, sealed) => decrypt(key, name, Buffer.from(sealed, 'base64')).toString(),
  };
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    return vault.open('proof', sealed) === proof;
  } catch {
    return false;
  }
}

function wrongKey(file: KeyFile | undefined, what: string): EmbeddedError {
  return new EmbeddedError(
    'data',
    `the key file ${file?.path} ${what} the scheduler's data beside it; restore both from one copy`,
  );
}
