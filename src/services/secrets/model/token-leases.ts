import { filterInSlices } from '../../core/in-slices.ts';
import type { TokenEntry } from './token-entries.ts';
import type { Tokens } from './tokens.ts';

// Each token has a lease of its own below the path at which it was created: `auth/userpass/login/ada/h…`.

/** The ID of the lease of a token; undefined: the first root token has none. */
export const tokenLeaseId = ({ path, digest }: TokenEntry): string | undefined =>
  path === 'auth/token/root' ? undefined : `${path}/h${digest}`;

/** The valid tokens of a namespace whose lease IDs begin with a prefix. */
export async function tokensBelow(tokens: Tokens, namespace: string, prefix: string) {
  return filterInSlices(
    await tokens.valid(),
    (entry) => (entry.namespace ?? '') === namespace && tokenLeaseId(entry)?.startsWith(prefix) === true,
  );
}

/** The token with this lease ID. */
export function tokenOfLease(tokens: Tokens, namespace: string, id: string): TokenEntry | undefined {
  const digest = /\/h([\da-f]{64})$/.exec(id)?.[1];
  const entry = digest === undefined ? undefined : tokens.withDigest(digest);
  return entry && (entry.namespace ?? '') === namespace && tokenLeaseId(entry) === id ? entry : undefined;
}
