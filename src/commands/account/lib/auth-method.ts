import type { AccountsClient, AuthMethod } from '../../../api/accounts.ts';
import { flag } from '../../../cli/command.ts';
import type { Context } from '../../../cli/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { allPages } from './pages.ts';

export const authMethodFlag = (help: string) =>
  flag.text('ID', `${help} (default: BOUNDARY_AUTH_METHOD_ID, that of the profile, or the primary one)`);

export const scopeFlag = (help: string) => flag.name('ID', `${help}: an organization (default: global)`);

/** The only scope of which a primary auth method is the default. */
export const globalScope = 'global';

/**
 * The auth method ID: the given one, that of the settings, or the primary auth method of the global scope.
 * @returns undefined: neither is set, and the service shows no primary auth method without a token.
 * @throws LanyardError: the service cannot be reached.
 */
export async function findAuthMethod(given: string | undefined, ctx: Context): Promise<string | undefined> {
  const id = given ?? (await ctx.api.settings('accounts')).authMethod;
  return id ?? (await primaryMethod(await ctx.api.accounts()))?.id;
}

/** As {@link findAuthMethod}. @throws LanyardError usage: no auth method is set or found. */
export async function resolveAuthMethod(given: string | undefined, ctx: Context): Promise<string> {
  const id = await findAuthMethod(given, ctx);
  if (id !== undefined) return id;
  throw usage('missing auth method: --auth-method is required, the global scope has no primary one', {
    hint: 'Run `lanyard account auth-method list` and pass --auth-method ID, set BOUNDARY_AUTH_METHOD_ID, or run `lanyard profile put NAME accounts.auth-method=ID`.',
  });
}

/** The list requires no token; a service may reject it, or may not have it. */
const unlistedStatuses = [400, 401, 403, 404, 405];

async function primaryMethod(accounts: AccountsClient): Promise<AuthMethod | undefined> {
  try {
    const { items } = await allPages((list_token) =>
      accounts.findAuthMethods({ scope_id: globalScope, list_token }),
    );
    return items.find(({ is_primary }) => is_primary === true);
  } catch (error) {
    if (error instanceof LanyardError && unlistedStatuses.includes(error.status ?? 0)) return undefined;
    throw error;
  }
}
