import { EmbeddedError, messageOf } from './core/errors.ts';
import { keyFile } from './data-directory.ts';
import type { SecretsState } from './secrets/model/seal-state.ts';

/** The keys of an unsealed secrets service; undefined: it is sealed or uninitialized. */
export interface RootCredentials {
  readonly rootToken: string | undefined;
  /** The single unseal key, hex. */
  readonly unsealKey: string | undefined;
}

/** How the secrets service starts. */
export interface SecretsOptions {
  /** Directory for the state; without one, the state is lost when the process ends. */
  readonly dataDirectory?: string;
  /** Cryptographically secure bytes; seeded in tests. */
  readonly random: (length: number) => Uint8Array;
  /** The root token of the secrets service; default: random. */
  readonly rootToken?: string;
  /** Start the secrets service uninitialized if its data is new; `sys/init` and `sys/unseal` follow. */
  readonly uninitialized?: boolean;
}

/**
 * Brings the secrets service to its initial state. With a data directory the root key is kept in a separate
 * file there, so that the database alone reveals nothing and a restart unseals automatically. Data
 * initialized through `sys/init` has no such file and starts sealed.
 */
export async function openSecrets(
  state: SecretsState,
  { dataDirectory: data, random, rootToken, uninitialized }: SecretsOptions,
): Promise<RootCredentials> {
  await state.ensureClusterId();
  const file = data === undefined ? undefined : keyFile(data, 'secrets');
  const storedKey = await file?.read();
  if (!state.initialized && uninitialized) return { rootToken: undefined, unsealKey: undefined };
  if (state.initialized && !storedKey) return { rootToken: undefined, unsealKey: undefined };
  const key = storedKey ?? random(32);
  if (!state.initialized) {
    if (!storedKey) await file?.create(key);
    await state.initializeWithKey(key);
  } else if (!(await unsealWith(state, key, data))) {
    throw new EmbeddedError(
      'data',
      `the key in ${file?.path} does not decrypt the data in the same directory; restore both from the same backup`,
    );
  }
  const token = rootToken ?? state.core.tokens.newToken();
  await state.core.tokens.createStartUpToken(token);
  return { rootToken: token, unsealKey: Buffer.from(key).toString('hex') };
}

/** @throws EmbeddedError data: the data encrypted with the key is damaged */
async function unsealWith(state: SecretsState, key: Uint8Array, data: string | undefined): Promise<boolean> {
  try {
    return await state.unsealWithKey(key);
  } catch (error) {
    throw new EmbeddedError(
      'data',
      `the data in ${data} is damaged (${messageOf(error)}); restore the directory from a backup`,
      error,
    );
  }
}
