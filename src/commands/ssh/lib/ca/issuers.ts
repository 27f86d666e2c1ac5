import type { SecretsClient } from '../../../../api/secrets.ts';
import { isEmptyListError, LanyardError } from '../../../../errors.ts';

/** The issuers of a mount: the keys that sign; one is the default. */
export interface Issuers {
  readonly ids: readonly string[];
  readonly byDefault: string | undefined;
}

/**
 * Lists the issuers of a mount, on products with several.
 *
 * @returns undefined: the product has a single CA, or the token may not list issuers.
 * @throws LanyardError when the service did not respond: unreachable, unauthenticated, interrupted.
 */
export async function readIssuers(secrets: SecretsClient, mount: string): Promise<Issuers | undefined> {
  try {
    const { data } = (await secrets.list({ path: `${mount}/issuers` })).body;
    const ids = data.keys ?? [];
    const info = (data.key_info ?? {}) as Readonly<Record<string, { readonly is_default?: unknown }>>;
    return { ids, byDefault: ids.find((id) => info[id]?.is_default === true) };
  } catch (error) {
    if (isEmptyListError(error)) return { ids: [], byDefault: undefined };
    if (error instanceof LanyardError && error.status !== undefined) return undefined;
    throw error;
  }
}
