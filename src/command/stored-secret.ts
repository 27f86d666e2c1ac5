import { LanyardError } from '../errors.ts';
import type { Context } from './context.ts';
import type { TokenLocation } from './profile-store.ts';

/**
 * Stores a token that was just created. A failure is a warning, because the token must be printed: it cannot be read
 * again.
 *
 * @returns where it is stored; undefined: it is not.
 */
export async function storeCreatedToken(
  location: TokenLocation,
  secret: string,
  { profile, output }: Pick<Context, 'profile' | 'output'>,
): Promise<'keyring' | 'file' | undefined> {
  try {
    return await profile.tokens.store(location, secret);
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    output.warn(`cannot store the token, save it yourself: ${error.message}`);
    return undefined;
  }
}
