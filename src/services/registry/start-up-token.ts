import { newToken } from './acl/tokens.ts';
import type { Registry } from './call.ts';
import { globalManagement, hashOf, putToken, tokenBySecret } from './model/acl.ts';

/** The accessor ID of the start-up token: there is one, and a new one replaces it. */
const accessorId = '3c1a7e52-0d1e-4c55-8a65-6c616e796172';

/**
 * Ensures that a management token exists before ACLs are bootstrapped. It changes nothing for requests without a token,
 * and does not count as the bootstrap.
 *
 * @param previous the token of the last start, which is kept while the service accepts it.
 * @returns its secret.
 */
export async function ensureStartUpToken(registry: Registry, previous?: string): Promise<string> {
  const { state, acl } = registry;
  const existing = previous === undefined ? undefined : tokenBySecret(state.view, previous);
  if (existing && !acl.isExpired(existing)) return existing.SecretID;
  const token = { ...newToken(registry), AccessorID: accessorId };
  await state.update((transaction) => {
    putToken(transaction, {
      ...token,
      // As the token of `initial_management` in the configuration of Consul.
      Description: 'Initial Management Token',
      Policies: [globalManagement.ID],
      Hash: hashOf(token.SecretID),
    });
  });
  return token.SecretID;
}
